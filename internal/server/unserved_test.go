package server

import (
	"context"
	"log/slog"
	"testing"

	"asterism/internal/config"
	"asterism/internal/failure"
)

func TestWhatIsNotServedIsRefused(t *testing.T) {
	f := func(field string, set func(*config.Config)) {
		t.Helper()
		cfg := testConfig(t)
		set(&cfg)
		err := Serve(context.Background(), cfg, Options{Log: slog.New(slog.DiscardHandler)})
		var fault *failure.Error
		if failure.KindOf(err) != failure.Invalid {
			t.Fatalf("%s: %v", field, err)
		}
		if fault, _ = err.(*failure.Error); fault.Field != field {
			t.Errorf("%s: the error names %s", field, fault.Field)
		}
	}
	f("clients.berlin.tables", func(c *config.Config) {
		c.Clients = map[string]config.Client{"berlin": {Tables: map[string]string{"ps_contacts": "ps_contacts_berlin"}}}
	})
	f("tables.numbers", func(c *config.Config) { c.Tables = map[string]string{"numbers": "phone_numbers"} })
}
