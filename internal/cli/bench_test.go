package cli

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"asterism/internal/config"
)

func TestBenchURLIsWhereTheConfigListens(t *testing.T) {
	f := func(listen, cert, door, want string) {
		t.Helper()
		cfg := config.Config{Asterisk: config.Asterisk{Listen: listen, TLSCert: cert}}
		if got := benchURL(cfg, door); got != want {
			t.Errorf("%s %s: %s, want %s", listen, door, got, want)
		}
	}
	f("127.0.0.1:8640", "", "soap", "http://127.0.0.1:8640/soap")
	f("192.0.2.1:8640", "", "curl", "http://192.0.2.1:8640/rt/numbers")
	f("0.0.0.0:8640", "", "curl", "http://127.0.0.1:8640/rt/numbers")
	f("[::]:8640", "", "curl", "http://127.0.0.1:8640/rt/numbers")
	f(":8640", "cert.pem", "soap", "https://127.0.0.1:8640/soap")
}

func TestBenchTakesNumbersThatAllClientsGetTheSameAnswerFor(t *testing.T) {
	h := newHome(t)
	h.must("set", "numbers", "1", "codecs=ulaw,alaw")
	h.must("set", "numbers", "2", "codecs=g722", "enabled=yes")
	h.must("set", "numbers", "3", "codecs=g722", "enabled=no")
	h.must("set", "numbers", "4", "note=none")
	h.must("set", "numbers", "acme,5", "codecs=g722")
	path, err := numbersOfStore(t.Context(), &configured{path: h.file})
	if err != nil {
		t.Fatal(err)
	}
	defer os.Remove(path)
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("number,codecs\n1,\"ulaw,alaw\"\n2,g722\n", string(file)); diff != "" {
		t.Error(diff)
	}
	if about, err := os.Stat(path); err != nil || about.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", about.Mode(), err)
	}
}

func TestBenchMeasuresANode(t *testing.T) {
	h := newHome(t)
	h.must("set", "numbers", "1", "codecs=ulaw")
	h.serve()
	for door, path := range map[string]string{"curl": "/rt/numbers", "soap": "/soap"} {
		out := h.must("bench", door, "--url", h.url+path, "--processes", "1,2", "--requests", "20", "--json")
		var rounds []struct {
			Door                        string
			Processes, Requests, Errors int
		}
		if err := json.Unmarshal([]byte(out), &rounds); err != nil || len(rounds) != 2 {
			t.Fatalf("%v: %s", err, out)
		}
		for i, round := range rounds {
			if round.Door != door || round.Errors != 0 || round.Processes != i+1 || round.Requests != 20*(i+1) {
				t.Errorf("%+v", round)
			}
		}
	}
	got := h.run("bench", "curl", "--url", h.url+"/rt/nosuch", "--processes", "1", "--requests", "5")
	if got.code != bad {
		t.Errorf("nothing but errors: %+v", got)
	}
}
