package server

import (
	"context"
	"testing"
)

// TestASuccessorServesTLS: the socket is handed over below the encryption, and
// every client is answered by one node or the other.
func TestASuccessorServesTLS(t *testing.T) {
	t.Parallel()
	a := newAuthority(t, "a")
	cfg := testConfig(t)
	withTLS(t, &cfg, a, nil)
	before := start(t, cfg)
	client := a.believing(t)
	if got := before.secure(t, client, asAsterisk("/rt/ps_aors/store", "id=1&max_contacts=2")); got.body != "1" {
		t.Fatalf("the first node answers %q", got.body)
	}
	certificate, key := a.issue(t, "successor", nil)
	write(t, cfg.Asterisk.TLSCert, certificate)
	write(t, cfg.Asterisk.TLSKey, key)

	ctx, cancel := context.WithCancel(t.Context())
	ready, ended := make(chan Addresses, 1), make(chan error, 1)
	go func() {
		ended <- Serve(ctx, cfg, Options{Log: newLogTo(t), Version: "test", Replace: true, Ready: func(at Addresses) { ready <- at }})
	}()
	var after *serving
	for answered := 0; after == nil || answered == 0; answered++ {
		if got := before.secure(t, client, asAsterisk("/rt/ps_aors/single", "id=1")); got.body != "id=1&max_contacts=2" {
			t.Fatalf("during the handover a client is answered %d %q", got.status, got.body)
		}
		select {
		case at := <-ready:
			after = &serving{Addresses: at}
		case err := <-ended:
			t.Fatal(err)
		default:
		}
	}
	if after.Asterisk != before.Asterisk {
		t.Errorf("the successor listens on %s, not on %s", after.Asterisk, before.Asterisk)
	}
	if got := after.secure(t, client, asAsterisk("/rt/ps_aors/single", "id=1")); got.body != "id=1&max_contacts=2" {
		t.Errorf("the successor answers %d %q", got.status, got.body)
	}
	if got := after.serial(t, client); got != 2 {
		t.Errorf("the successor shows certificate %d, want 2", got)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
