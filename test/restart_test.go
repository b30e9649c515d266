package test

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"asterism/test/lab"
)

// asker asks numbers and writes contacts until told to stop, and counts what
// must not happen.
type asker struct {
	asked, refused, wrong, broken atomic.Int64
	example                       atomic.Pointer[string]
}

func (a *asker) run(client *http.Client, at string, worker int, stop <-chan struct{}) {
	for i := worker; ; i += 7 {
		select {
		case <-stop:
			return
		default:
		}
		number := i % 1000
		want := []string{"ulaw", "alaw,g722", "opus,g722,alaw", "g729,ulaw"}[number%4]
		path, body := "/rt/numbers/single", fmt.Sprintf("number=%d", 4930000000+number)
		if i%10 == 0 {
			want, path, body = "1", "/rt/ps_contacts/store", fmt.Sprintf("id=%d%%3B%%40x&expiration_time=4102444800", i%5000)
		}
		answer, err := ask(client, at, path, body)
		a.asked.Add(1)
		if err == nil && path == "/rt/numbers/single" {
			answer = field(answer, "codecs")
		}
		switch {
		case errors.Is(err, syscall.ECONNREFUSED):
			a.refused.Add(1)
		case err != nil:
			a.broken.Add(1)
			text := err.Error()
			a.example.Store(&text)
		case answer != want:
			a.wrong.Add(1)
			text := fmt.Sprintf("%s: %q, want %q", body, answer, want)
			a.example.Store(&text)
		}
	}
}

func TestRestartUnderLoadRefusesNobody(t *testing.T) {
	h := lab.NewHome(t)
	h.Run(t, "load", "numbers", numbersFile(t, 1000))
	node := h.Serve(t)
	at := node.Asterisk
	a := &asker{}
	stop := make(chan struct{})
	var workers sync.WaitGroup
	for worker := range 4 {
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: worker%2 == 0}}
		workers.Go(func() { a.run(client, at, worker, stop) })
	}
	count := rounds(t)
	if soaking() {
		count = 100
	}
	for range count {
		next := h.Serve(t, "--replace")
		node.Await(t)
		if node.Err != nil {
			t.Errorf("the old process ended with %v\n%s", node.Err, node.Log)
		}
		node = next
		if node.Asterisk != at {
			t.Fatalf("listens on %s after the restart, before on %s", node.Asterisk, at)
		}
	}
	close(stop)
	workers.Wait()
	t.Logf("%d restarts, %d requests", count, a.asked.Load())
	if a.refused.Load()+a.wrong.Load()+a.broken.Load() > 0 {
		t.Errorf("%d refused, %d wrong, %d broken of %d; the last: %v", a.refused.Load(), a.wrong.Load(), a.broken.Load(), a.asked.Load(), *a.example.Load())
	}
}

func TestASecondNodeIsRefusedAndSaysHow(t *testing.T) {
	h := lab.NewHome(t)
	h.Serve(t)
	out, err := h.Command("serve").CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Errorf("a second node: %v", err)
	}
	if !contains(string(out), "--replace") {
		t.Errorf("a second node does not say how to take over: %s", out)
	}
}

func TestSystemdsSocketsAreTaken(t *testing.T) {
	h := lab.NewHome(t)
	var files []*os.File
	var addresses []string
	for range 2 {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		tcp, ok := listener.(*net.TCPListener)
		if !ok {
			t.Fatal("no TCP listener")
		}
		file, err := tcp.File()
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		files, addresses = append(files, file), append(addresses, listener.Addr().String())
		if err := listener.Close(); err != nil {
			t.Fatal(err)
		}
	}
	// LISTEN_PID is the process's own: the shell sets it and becomes the node.
	command := exec.Command("/bin/sh", "-c", `LISTEN_PID=$$ exec "$0" serve --log json --config "$1"`, lab.Program, h.Config)
	command.Env = append(os.Environ(), "LISTEN_FDS=2", "LISTEN_FDNAMES=people:asterisk")
	command.ExtraFiles = files
	node := lab.StartNode(t, command)
	if node.People != addresses[0] || node.Asterisk != addresses[1] {
		t.Errorf("serves on %s and %s, given were %v", node.People, node.Asterisk, addresses)
	}
	if body := fetch(t, "http://"+node.People+"/readyz"); body != "ready\n" {
		t.Errorf("/readyz: %q", body)
	}
}
