package http1

import (
	"bytes"
	"crypto/tls"
	"io"
	"log/slog"
	"net"
	"testing"
	"time"
)

// patient answers /wait when it is told to go on, and all else as echo does.
type patient struct {
	echo
	onward chan struct{}
}

func (p *patient) Answer(r *Request, w *Response, quick bool) bool {
	if !bytes.HasPrefix(r.Target, []byte("/wait")) {
		return p.echo.Answer(r, w, quick)
	}
	if quick {
		return false
	}
	for range 2 { // twice is once
		if !r.Wait() {
			p.Refuse(r, w, Overload)
			return true
		}
	}
	<-p.onward
	return p.echo.Answer(r, w, quick)
}

// TestThoseWhoWaitTakeNobodysPlace: only one may be slow, and two wait.
func TestThoseWhoWaitTakeNobodysPlace(t *testing.T) {
	f := func(name string, settings *tls.Config) {
		t.Run(name, func(t *testing.T) {
			limits := usual()
			limits.Slow, limits.Waiting = 1, 2
			handler := &patient{onward: make(chan struct{})}
			s := serveAs(t, &Server{Handler: handler, Limits: limits, Log: slog.New(slog.DiscardHandler), TLS: settings})
			ask := func(target string) net.Conn {
				conn := dial(t, s)
				if settings != nil {
					conn = tls.Client(conn, &tls.Config{InsecureSkipVerify: true})
				}
				if _, err := io.WriteString(conn, "GET "+target+" HTTP/1.1\r\n\r\n"); err != nil {
					t.Fatal(err)
				}
				return conn
			}
			var waiting []net.Conn
			for i := range int64(limits.Waiting) {
				waiting = append(waiting, ask("/wait"))
				until(t, "it waits", func() bool { return s.Waiting() == i+1 && s.UnderWay() == 0 })
			}
			if got := answers(t, ask("/wait"), 1); got[0] != "503 /wait: overload" {
				t.Errorf("one too many: %q", got)
			}
			if got := answers(t, ask("/slow"), 1); got[0] != "200 GET /slow?  " {
				t.Errorf("beside them: %q", got)
			}
			close(handler.onward)
			for _, conn := range waiting {
				if got := answers(t, conn, 1); got[0] != "200 GET /wait?  " {
					t.Errorf("one that waited: %q", got)
				}
			}
			until(t, "nobody waits", func() bool { return s.Waiting() == 0 && s.UnderWay() == 0 })
		})
	}
	f("plain", nil)
	f("TLS", &tls.Config{Certificates: []tls.Certificate{selfSigned(t)}})
}

// until waits for something.
func until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for deadline := time.Now().Add(10 * time.Second); !holds(); <-look.C {
		if time.Now().After(deadline) {
			t.Fatalf("not within 10 s: %s", what)
		}
	}
}
