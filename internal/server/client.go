package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"path/filepath"

	"asterism/internal/absent"
	"asterism/internal/failure"
)

// SocketName is the control socket in the state folder: HTTP with JSON, for the
// commands of this machine (mode 0600).
const SocketName = "control.sock"

// NodeStatus is one node as status shows it.
type NodeStatus struct {
	Name       string  `json:"name"`
	Address    string  `json:"address"`
	Version    string  `json:"version"`
	Applied    int64   `json:"applied"`
	LagSeconds float64 `json:"lag_seconds"`
	AgeSeconds float64 `json:"age_seconds"`
	Live       bool    `json:"live"`

	Watchers int64 `json:"watchers,omitempty"` // who wait for changes; of the answering node only

	// Absent are the keys asked for most in the last minute that are not there,
	// of the answering node only.
	Absent []absent.Key `json:"absent,omitempty"`
}

// Report is what a serving node tells of itself.
type Report struct {
	Nodes     []NodeStatus   `json:"nodes"`
	Instance  string         `json:"instance"`
	Revision  uint64         `json:"revision"`
	Reasons   []string       `json:"reasons"` // why it is not ready, or what is degraded
	Rows      map[string]int `json:"rows"`
	Spool     int            `json:"spool_entries"`
	Undurable int            `json:"undurable"`
	Refused   []RefusedRow   `json:"refused"`
}

// RefusedRow is a row that SQL refused, served from memory.
type RefusedRow struct {
	Family string   `json:"family"`
	Key    []string `json:"key"`
	Error  string   `json:"error"`
}

// Client speaks to the node that serves on this machine.
type Client struct{ http http.Client }

// Dial finds the serving node of a state folder; its error is of kind Absent
// when none serves.
func Dial(state string) (*Client, error) {
	path := filepath.Join(state, SocketName)
	connection, err := net.Dial("unix", path)
	if err != nil {
		return nil, &failure.Error{Kind: failure.Absent, Message: "no node serves on " + path, Cause: err}
	}
	if err := connection.Close(); err != nil {
		return nil, fmt.Errorf("reach the node at %s: %w", path, err)
	}
	return &Client{http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "unix", path)
		},
	}}}, nil
}

// Status gives the node's report.
func (c *Client) Status(ctx context.Context) (report Report, err error) {
	return report, c.call(ctx, "status", nil, &report)
}

// Reload makes the node read its config and compare all families with SQL; it
// returns when the result is published, with the number of rows mended.
func (c *Client) Reload(ctx context.Context) (mended int, err error) {
	var answer struct{ Mended int }
	return answer.Mended, c.call(ctx, "reload", nil, &answer)
}

// Published returns once the node has published all changes that are in the
// change log now.
func (c *Client) Published(ctx context.Context) error {
	return c.call(ctx, "published", nil, nil)
}

func (c *Client) call(ctx context.Context, verb string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return fmt.Errorf("ask the node: %w", err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://node/"+verb, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("ask the node: %w", err)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return fmt.Errorf("ask the node for %s: %w", verb, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		var fault struct{ Error string }
		_ = json.NewDecoder(response.Body).Decode(&fault) // an empty text says it too
		return fmt.Errorf("the node answers %s: %s", response.Status, fault.Error)
	}
	if out == nil {
		return nil
	}
	if err := json.NewDecoder(response.Body).Decode(out); err != nil {
		return fmt.Errorf("read the node's answer to %s: %w", verb, err)
	}
	return nil
}
