package test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"asterism/internal/bench"

	"asterism/test/lab"
)

// writeCodecs writes a file of 20,000 numbers, as many as the first experiment
// had, and another that is wrong about a hundred of them.
func writeCodecs(t *testing.T) (right, wrong string) {
	t.Helper()
	codecs := []string{"ulaw", `"alaw,g722"`, `"opus,g722,alaw"`}
	lines, lies := []string{"number,codecs"}, []string{"number,codecs"}
	for i := range 20_000 {
		line := fmt.Sprintf("%d,%s", 4930000000+i, codecs[i%len(codecs)])
		lines = append(lines, line)
		if i < 200 {
			if i%2 == 0 {
				line = fmt.Sprintf("%d,speex", 4930000000+i)
			}
			lies = append(lies, line)
		}
	}
	folder := t.TempDir()
	right, wrong = filepath.Join(folder, "right.csv"), filepath.Join(folder, "wrong.csv")
	for path, lines := range map[string][]string{right: lines, wrong: lies} {
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return right, wrong
}

func TestAClientByGSOAPGetsRightAnswers(t *testing.T) {
	if err := bench.CheckGSOAP(t.Context()); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skipf("missing program: %v", err)
	}
	h := lab.NewHome(t)
	right, wrong := writeCodecs(t)
	h.Run(t, "load", "numbers", right)
	node := h.Serve(t)
	url := "http://" + node.Asterisk + "/soap"

	// As a person would: the numbers come from the store.
	var rounds []bench.Result
	out := h.Run(t, "bench", "soap", "--client", "gsoap", "--url", url, "--processes", "1,2", "--requests", "1000", "--json")
	if err := json.Unmarshal([]byte(out), &rounds); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	check := func(rounds []bench.Result, connection string) {
		t.Helper()
		if len(rounds) != 2 {
			t.Fatalf("%d rounds", len(rounds))
		}
		for i, r := range rounds {
			if r.Client != "gsoap" || r.Connection != connection || r.Processes != i+1 || r.Requests != 1000*(i+1) || r.Errors != 0 {
				t.Errorf("%+v: %s", r, r.FirstError)
			}
			if r.ClientRSSBytes < 100_000 || r.ClientRSSBytes > 2_500_000 {
				t.Errorf("a client process took %d bytes of memory", r.ClientRSSBytes)
			}
		}
	}
	check(rounds, "keep-alive")

	program, err := bench.BuildGSOAP(t.Context(), t.TempDir(), url)
	if err != nil {
		t.Fatal(err)
	}
	run := func(plan bench.Plan) []bench.Result {
		t.Helper()
		plan.Door, plan.URL, plan.Executable = "soap", url, program
		plan.Processes, plan.Requests = []int{1, 2}, 1000
		rounds, err := bench.Run(t.Context(), plan)
		if err != nil {
			t.Fatal(err)
		}
		return rounds
	}
	check(run(bench.Plan{Numbers: right, NewConnections: true}), "new")
	check(run(bench.Plan{Numbers: right, Arguments: []string{"-2"}}), "keep-alive")
	check(run(bench.Plan{Numbers: right, Arguments: []string{"-2"}, NewConnections: true}), "new")
	for _, r := range run(bench.Plan{Numbers: wrong}) {
		// Half of the numbers are wrong in the file; chance decides how many are asked.
		if r.Errors < r.Requests/3 || r.Errors > r.Requests*2/3 || !strings.Contains(r.FirstError, `expected codecs "speex"`) {
			t.Errorf("%d of %d are errors: %s", r.Errors, r.Requests, r.FirstError)
		}
	}
}
