package server

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"asterism/internal/config"
	"asterism/internal/store"
)

// serving is a node under test.
type serving struct {
	Addresses
	config config.Config
	url    string
	stop   func() error
}

// start runs a node with a fresh store until the test ends.
func start(t testing.TB, cfg config.Config) *serving {
	t.Helper()
	return startLogging(t, cfg, t.Output())
}

// startLogging runs a node whose log the test reads.
func startLogging(t testing.TB, cfg config.Config, to io.Writer) *serving {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ready := make(chan Addresses, 1)
	ended := make(chan error, 1)
	log := slog.New(slog.NewTextHandler(to, nil))
	go func() {
		ended <- Serve(ctx, cfg, Options{Log: log, Version: "test", Ready: func(a Addresses) { ready <- a }})
	}()
	s := &serving{config: cfg}
	stopped := false
	s.stop = func() error {
		if stopped {
			return nil
		}
		stopped = true
		cancel()
		return <-ended
	}
	select {
	case s.Addresses = <-ready:
	case err := <-ended:
		t.Fatal(err)
	}
	s.url = "http://" + s.Asterisk
	t.Cleanup(func() {
		if err := s.stop(); err != nil {
			t.Errorf("the end of the node: %v", err)
		}
	})
	return s
}

// testConfig gives a config of a folder of its own, with a store that init made.
func testConfig(t testing.TB) config.Config {
	t.Helper()
	folder := t.TempDir()
	cfg := config.Default()
	cfg.Node.Name = "test"
	cfg.Node.State = filepath.Join(folder, "state")
	path := filepath.Join(folder, "asterism.db")
	cfg.Store.URL = "sqlite:" + path
	cfg.Asterisk.Listen, cfg.People.Listen = "127.0.0.1:0", "127.0.0.1:0"
	database, err := initialised()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, database, 0o600); err != nil {
		t.Fatal(err)
	}
	return cfg
}

// initialised is the file that init makes. It is made once for all tests, since
// each would spend most of its time on it.
var initialised = sync.OnceValues(func() ([]byte, error) {
	folder, err := os.MkdirTemp("", "asterism")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "asterism.db")
	s, err := store.Init(context.Background(), "sqlite:"+path, store.Options{})
	if err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// post asks the curl wire.
func (s *serving) post(t testing.TB, path, body string) (status int, answer string) {
	t.Helper()
	response, err := http.Post(s.url+path, "application/x-www-form-urlencoded", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

func TestAWriteIsVisibleToTheNextQuestion(t *testing.T) {
	s := start(t, testConfig(t))
	f := func(path, body, want string) {
		t.Helper()
		if _, got := s.post(t, path, body); got != want {
			t.Errorf("%s %s: %q, want %q", path, body, got, want)
		}
	}
	f("/rt/ps_aors/store", "id=6001&max_contacts=2", "1")
	f("/rt/ps_aors/single", "id=6001", "id=6001&max_contacts=2")
	f("/rt/ps_aors/update?id=6001", "max_contacts=3", "1")
	f("/rt/ps_aors/single", "id=6001", "id=6001&max_contacts=3")
	contact := "id=6001%3B%40c4fa&uri=sip%3A6001%40203.0.113.7&expiration_time=4102444800"
	f("/rt/ps_contacts/store", contact, "1")
	f("/rt/ps_contacts/multi", "id%20LIKE=6001%3B%40%25", "id=6001%3B%40c4fa&uri=sip%3A6001%40203.0.113.7&expiration_time=4102444800\n")
	f("/rt/ps_contacts/destroy", "id=6001%3B%40c4fa&", "1")
	f("/rt/ps_contacts/destroy", "id=6001%3B%40c4fa&", "0")
	f("/rt/nosuch/single", "id=1", "")
	f("/rt/nosuch/update?id=1", "a=b", "-1")
	f("/rt/queue_log/store", "time=2026-01-01%2000%3A00%3A00.000001&event=ENTERQUEUE", "1")
	f("/rt/queue_log/single", "event=ENTERQUEUE", "")
}
