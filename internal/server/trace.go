package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"asterism/internal/failure"
	"asterism/internal/trace"
)

// traceFarewell is how long a client has to take the last lines when the node ends.
const traceFarewell = 200 * time.Millisecond

// refused is why the node does not do what a command asks.
type refused struct {
	Kind  failure.Kind `json:"kind"`
	Error string       `json:"error"`
	Hint  string       `json:"hint"`
}

// answerTrace streams the lines of a trace, one JSON object each, until the
// client hangs up or the node ends. A client that reads slowly holds nobody but
// itself: its lines are dropped and counted.
func (n *node) answerTrace(w http.ResponseWriter, r *http.Request) {
	asked := r.URL.Query()
	tracer, err := n.trace.Open(trace.Filter{Family: asked.Get("family"), Key: asked.Get("key")})
	if err != nil {
		refuse(w, err)
		return
	}
	defer tracer.Close()
	connection := http.NewResponseController(w)
	finished := make(chan struct{})
	defer close(finished)
	go func() {
		select {
		case <-finished:
		case <-tracer.Ended():
			_ = connection.SetWriteDeadline(time.Now().Add(traceFarewell)) // a client that reads nothing would hold the drain
		}
	}()
	w.Header().Set("Content-Type", "application/x-ndjson")
	if err := connection.Flush(); err != nil {
		return
	}
	if err := stream(r.Context(), w, tracer); err != nil {
		n.log.Debug("a trace ended early", "error", err)
	}
}

// stream writes lines as they come, and flushes when none waits.
func stream(ctx context.Context, w http.ResponseWriter, tracer *trace.Tracer) error {
	var text []byte
	for {
		line, err := tracer.Next(ctx)
		if errors.Is(err, io.EOF) || ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		for more := true; more; line, more = tracer.Ready() {
			text = line.AppendJSON(text[:0])
			if _, err := w.Write(text); err != nil {
				return err
			}
		}
		if err := http.NewResponseController(w).Flush(); err != nil {
			return err
		}
	}
}

func refuse(w http.ResponseWriter, err error) {
	out := refused{Kind: failure.KindOf(err), Error: err.Error()}
	var e *failure.Error
	if errors.As(err, &e) {
		out.Error, out.Hint = (&failure.Error{Message: e.Message, Cause: e.Cause}).Error(), e.Hint
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusConflict)
	_ = json.NewEncoder(w).Encode(out) // a command that went away needs no answer
}

// Trace yields the lines of a trace, in JSON as they come, until yield gives an
// error, the context ends or the node does: then the error is io.EOF. begun is
// called once the trace runs.
func (c *Client) Trace(ctx context.Context, filter trace.Filter, begun func(), yield func(line []byte) error) error {
	query := url.Values{"family": {filter.Family}, "key": {filter.Key}}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://node/trace?"+query.Encode(), nil)
	if err != nil {
		return fmt.Errorf("ask the node for a trace: %w", err)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return fmt.Errorf("ask the node for a trace: %w", err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		var why refused
		if err := json.NewDecoder(response.Body).Decode(&why); err != nil || why.Error == "" {
			return fmt.Errorf("the node answers %s to a trace; is it an older version?", response.Status)
		}
		return &failure.Error{Kind: why.Kind, Message: why.Error, Hint: why.Hint}
	}
	begun()
	lines := json.NewDecoder(response.Body)
	for {
		var line json.RawMessage
		if err := lines.Decode(&line); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return io.EOF // whatever cut it off
		}
		if err := yield(line); err != nil {
			return err
		}
	}
}
