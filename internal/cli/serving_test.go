package cli

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"asterism/internal/config"
	"asterism/internal/server"
)

// home is a config with a store and, once serve ran, a node.
type home struct {
	t    *testing.T
	file string // of the config
	url  string // of the node's Asterisk-facing door
}

func newHome(t *testing.T) *home {
	t.Helper()
	folder := t.TempDir()
	h := &home{t: t, file: filepath.Join(folder, "asterism.toml")}
	if err := os.WriteFile(h.file, []byte(testConfig(folder)), 0o600); err != nil {
		t.Fatal(err)
	}
	h.must("init")
	return h
}

func (h *home) run(args ...string) ran {
	h.t.Helper()
	return run(h.t, append(args, "--config", h.file)...)
}

// must runs a command that must succeed without a remark and gives its output.
func (h *home) must(args ...string) string {
	h.t.Helper()
	got := h.run(args...)
	if got.code != fine || got.err != "" {
		h.t.Fatalf("%q: exit %d, %s", args, got.code, got.err)
	}
	return got.out
}

// serve runs a node until the test ends.
func (h *home) serve() {
	h.t.Helper()
	cfg, err := config.Load(h.file)
	if err != nil {
		h.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ready, ended := make(chan server.Addresses, 1), make(chan error, 1)
	go func() {
		ended <- server.Serve(ctx, cfg, server.Options{Log: newLog(h.t.Output(), "text"), Version: "test", Ready: func(a server.Addresses) { ready <- a }})
	}()
	h.t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			h.t.Error(err)
		}
	})
	select {
	case at := <-ready:
		h.url = "http://" + at.Asterisk
	case err := <-ended:
		ended <- nil
		h.t.Fatal(err)
	}
}

func TestAChangeIsShownByTheNodeWhenTheCommandReturns(t *testing.T) {
	h := newHome(t)
	h.serve()
	for _, codecs := range []string{"ulaw", "alaw", "g722"} {
		h.must("set", "numbers", "+14155550123", "codecs="+codecs)
		if got := run(t, "lookup", "+14155550123", "--server", h.url); got.out != codecs+"\n" {
			t.Errorf("%+v, want %s", got, codecs)
		}
	}
	h.must("delete", "numbers", "+14155550123")
	if got := run(t, "lookup", "+14155550123", "--server", h.url); got.code != bad || got.out != "" {
		t.Errorf("after delete: %+v", got)
	}
}

func TestTheNodeAndTheStoreAnswerAlike(t *testing.T) {
	h := newHome(t)
	h.must("set", "ps_endpoints", "6001", `callerid="Ann^3B Lee+" <6001>`, "set_var=A=1;B=2^3B3^5E", "disallow=all", "allow=ulaw")
	h.must("set", "ps_endpoints", "6002", "context=phones")
	h.must("set", "ps_contacts", "6001;@c4fa", "uri=sip:6001@192.0.2.7", "expiration_time=4102444800")
	h.must("set", "numbers", "acme,+1", "codecs=opus")
	h.must("set", "numbers", "+1", "codecs=ulaw,alaw")
	h.must("set", "numbers", "+2", "codecs=ulaw", "note=50% off & more")
	h.serve()
	f := func(args ...string) {
		t.Helper()
		store, node := h.run(args...), run(t, append(args, "--server", h.url)...)
		if diff := cmp.Diff(store.out, node.out); diff != "" || store.code != node.code {
			t.Errorf("%q: %s\n%s%s", args, diff, store.err, node.err)
		}
	}
	f("get", "ps_endpoints", "6001", "--json")
	f("get", "ps_endpoints", "6001")
	f("get", "ps_endpoints", "6009")
	f("get", "ps_contacts", "6001;@c4fa")
	f("get", "numbers", "+2")
	f("get", "numbers", "acme,+1")
	f("get", "nosuch", "1")
	f("get", "extensions", "1")
	f("list", "ps_endpoints", "context=phones", "--json")
	f("list", "ps_endpoints", "set_var=A=1;B=2^3B3^5E", "--json")
	f("list", "ps_endpoints", "context=", "--json")
	f("list", "numbers", "tenant=", "--limit", "1")
	f("lookup", "+1")
	f("lookup", "+1", "--tenant", "acme")
	f("lookup", "+1", "--tenant", "other")
	f("lookup", "+9")
	if got := run(t, "list", "numbers", "--json", "--server", h.url); strings.Count(got.out, `"codecs"`) != 3 {
		t.Errorf("all rows: %+v", got)
	}
}

func TestANodeThatDoesNotAnswerIsNamed(t *testing.T) {
	h := newHome(t)
	h.serve()
	f := func(want string, args ...string) {
		t.Helper()
		if got := run(t, args...); got.code != bad || !strings.Contains(got.err, want) {
			t.Errorf("%q: %+v", args, got)
		}
	}
	f("is no address of a node", "lookup", "1", "--server", "127.0.0.1:8640")
	f("ask the node at http://127.0.0.1:1", "lookup", "1", "--server", "http://127.0.0.1:1")
	f("answers 404 Not Found", "get", "numbers", "1", "--server", h.url+"/nothing")
}

func TestStatusAndReloadSpeakToTheNode(t *testing.T) {
	h := newHome(t)
	h.must("set", "numbers", "1", "codecs=ulaw")
	h.serve()
	var nodes []map[string]any
	for tries := 0; len(nodes) == 0 && tries < 1000; tries++ { // it tells the store of itself soon after its start
		if err := json.Unmarshal([]byte(h.must("status", "--json")), &nodes); err != nil {
			t.Fatal(err)
		}
	}
	if len(nodes) != 1 || nodes[0]["name"] != "test" || nodes[0]["live"] != true {
		t.Errorf("%v", nodes)
	}
	for _, key := range []string{"address", "version", "applied", "lag_seconds", "age_seconds"} {
		if _, ok := nodes[0][key]; !ok {
			t.Errorf("no %s", key)
		}
	}
	if text := h.must("status"); !strings.Contains(text, "1 rows in memory") {
		t.Errorf("%s", text)
	}
	if got := h.must("reload"); got != "reloaded, 0 rows mended\n" {
		t.Errorf("%q", got)
	}
}

func TestServeThatIsStoppedWhileItStartsDidNotFail(t *testing.T) {
	h := newHome(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, log strings.Builder
	if code := Run(ctx, []string{"serve", "--config", h.file}, strings.NewReader(""), &out, &log); code != fine {
		t.Errorf("exit %d: %s", code, log.String())
	}
}

func TestTheLogIsJSONWhereNobodyReads(t *testing.T) {
	f := func(format, want string) {
		t.Helper()
		var out strings.Builder
		newLog(&out, format).Info("x")
		if !strings.HasPrefix(out.String(), want) {
			t.Errorf("%q: %s", format, out.String())
		}
	}
	f("", "{")
	f("json", "{")
	f("text", "time=")
}
