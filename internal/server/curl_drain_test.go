package server

import (
	"net"
	"testing"
	"time"
)

// TestWhatIsUnderWayIsAnsweredAtTheEnd: a write waits for SQL, a request has
// half arrived and a connection idles when the node is told to end.
func TestWhatIsUnderWayIsAnsweredAtTheEnd(t *testing.T) {
	t.Parallel()
	cfg := testConfig(t)
	o := outside(t, cfg)
	o.exec(`INSERT INTO ps_aors (id, max_contacts) VALUES ('x', 1)`)
	s := start(t, cfg)
	release := o.lock()
	waiting, half, idle := s.connect(t), s.connect(t), s.connect(t)
	send(t, waiting, asAsterisk("/rt/ps_aors/update?id=x", "max_contacts=2"))
	request := asAsterisk("/rt/ps_aors/single", "id=x")
	send(t, half, request[:len(request)-4])
	send(t, idle, asAsterisk("/rt/ps_aors/single", "id=x"))
	if got := receiveAnswer(t, idle); got.body != "id=x&max_contacts=1" {
		t.Fatalf("before the end: %q", got.body)
	}
	soon(t, "the write is under way", func() bool { return s.metric(t, "asterism_requests_in_flight") == 1 })
	ended := make(chan error, 1)
	go func() { ended <- s.stop() }()
	soon(t, "the node accepts no more", func() bool {
		late, err := net.Dial("tcp", s.Asterisk)
		if err == nil {
			_ = late.Close()
		}
		return err != nil
	})
	send(t, half, request[len(request)-4:])
	if got := receiveAnswer(t, half); got.body != "id=x&max_contacts=1" || !got.last {
		t.Errorf("half a request that arrives meanwhile: %q, the connection ends with it: %v", got.body, got.last)
	}
	soon(t, "the idle connection is closed", func() bool {
		_ = idle.SetReadDeadline(time.Now().Add(time.Millisecond))
		var one [1]byte
		_, err := idle.Read(one[:])
		late, ok := err.(net.Error)
		return !ok || !late.Timeout()
	})
	select {
	case err := <-ended:
		t.Fatalf("the node ended (%v) while a write was under way", err)
	default:
	}
	release()
	if got := receiveAnswer(t, waiting); got.body != "1" {
		t.Errorf("the write that waited for SQL answers %q, want 1", got.body)
	}
	if err := <-ended; err != nil {
		t.Errorf("the end of the node: %v", err)
	}
	if got := o.text("SELECT id || max_contacts FROM ps_aors"); got != "x2" {
		t.Errorf("SQL holds %s", got)
	}
	if _, err := net.Dial("tcp", s.Asterisk); err == nil {
		t.Error("a node that ended still accepts")
	}
}

func TestWhatAsteriskWroteIsInSQLWhenTheNodeHasEnded(t *testing.T) {
	t.Parallel()
	cfg := testConfig(t)
	o := outside(t, cfg)
	s := start(t, cfg)
	for range 50 {
		if got := s.ask(t, "/rt/queue_log/store", "time=2026-01-01%2000%3A00%3A00.000001&event=ENTERQUEUE"); got != "1" {
			t.Fatalf("store answers %q", got)
		}
	}
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	if got := o.text("SELECT count(*) FROM queue_log"); got != "50" {
		t.Errorf("%s of 50 events are in SQL", got)
	}
}
