package bench

import (
	"bytes"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// gsoapRSS is what a client process of the first experiment took at most.
const gsoapRSS = 2_500_000

func needGSOAP(t *testing.T) {
	t.Helper()
	if err := CheckGSOAP(t.Context()); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skipf("missing program: %v", err)
	}
}

// TestGSOAP holds for the client by gSOAP what other tests hold for the one in
// Go. It is one test because the program is built once for all parts.
func TestGSOAP(t *testing.T) {
	needGSOAP(t)
	served := newDirectory(t, nil)
	program, err := BuildGSOAP(t.Context(), t.TempDir(), served.url("soap"))
	if err != nil {
		t.Fatal(err)
	}
	for name, part := range map[string]func(*testing.T, string){
		"every request is counted":   gsoapCounts,
		"a wrong answer is an error": gsoapFindsLies,
		"any answer without codecs":  gsoapWithoutCodecs,
		"a status is an error":       gsoapStatus,
		"refused connections":        gsoapRefused,
		"a dead server is given up":  gsoapGivesUp,
		"the name of the host":       gsoapHost,
		"what it refuses":            gsoapRefuses,
		"latencies are true":         gsoapLatencies,
		"latencies are counted":      gsoapHistogram,
		"no compiler warns":          gsoapCompilesWithoutWarning,
	} {
		t.Run(name, func(t *testing.T) { part(t, program) })
	}
}

func gsoapPlan(t *testing.T, program, url string) Plan {
	t.Helper()
	return Plan{
		Door: "soap", URL: url, Numbers: writePhoneBook(t), Processes: []int{1, 2}, Requests: 20, Executable: program,
	}
}

func gsoapCounts(t *testing.T, program string) {
	f := func(newConnections bool, connection string, connections int64) {
		t.Helper()
		served := newDirectory(t, nil)
		plan := gsoapPlan(t, program, served.url("soap"))
		plan.NewConnections = newConnections
		results, err := Run(t.Context(), plan)
		if err != nil || len(results) != 2 {
			t.Fatalf("%d results, error %v", len(results), err)
		}
		if answers, accepted := served.answers.Load(), served.accepted.Load(); answers != 60 || accepted != connections {
			t.Errorf("%s: %d answers over %d connections, want 60 over %d", connection, answers, accepted, connections)
		}
		for i, result := range results {
			if result.Client != "gsoap" || result.Door != "soap" || result.Connection != connection || result.Processes != i+1 {
				t.Errorf("wrong names in %+v", result)
			}
			if result.Requests != 20*(i+1) || result.Errors != 0 {
				t.Errorf("%d requests, %d errors: %s", result.Requests, result.Errors, result.FirstError)
			}
			if result.P50Ms <= 0 || result.P99Ms < result.P50Ms || result.MaxMs < result.P99Ms || result.RequestsPerSecond <= 0 {
				t.Errorf("missing figures in %+v", result)
			}
			if result.ClientRSSBytes < 100_000 || result.ClientRSSBytes > gsoapRSS {
				t.Errorf("%d bytes of memory, want %d at most", result.ClientRSSBytes, gsoapRSS)
			}
		}
	}
	f(false, "keep-alive", 3)
	f(true, "new", 60)
}

func gsoapFindsLies(t *testing.T, program string) {
	served := newDirectory(t, func(d *directory) { d.liesAbout = "+14155550102" })
	results, err := Run(t.Context(), gsoapPlan(t, program, served.url("soap")))
	if err != nil {
		t.Fatal(err)
	}
	errors := 0
	for _, result := range results {
		errors += result.Errors
	}
	if lies := int(served.lies.Load()); lies == 0 || errors != lies {
		t.Errorf("%d errors, server gave %d wrong answers", errors, lies)
	}
	for _, part := range []string{`"opus,g722,alaw,ulaw"`, `"lpc10"`, "+14155550102"} {
		if !strings.Contains(results[1].FirstError, part) {
			t.Errorf("first error %q does not name %s", results[1].FirstError, part)
		}
	}
}

func gsoapWithoutCodecs(t *testing.T, program string) {
	served := newDirectory(t, func(d *directory) { d.liesAbout = "+14155550102" })
	plan := gsoapPlan(t, program, served.url("soap"))
	plan.Numbers = writeNumbers(t, "\ufeffnumber", "+14155550102")
	results, err := Run(t.Context(), plan)
	if err != nil || results[0].Errors != 0 {
		t.Errorf("results %+v, error %v", results, err)
	}
}

func gsoapStatus(t *testing.T, program string) {
	served := newDirectory(t, nil)
	results, err := Run(t.Context(), gsoapPlan(t, program, served.URL+"/elsewhere"))
	if err != nil || results[0].Errors != 20 || !strings.Contains(results[0].FirstError, "404") {
		t.Errorf("results %+v, error %v", results, err)
	}
}

func gsoapRefused(t *testing.T, program string) {
	served := newDirectory(t, nil)
	plan := gsoapPlan(t, program, served.url("soap"))
	served.Close()
	results, err := Run(t.Context(), plan)
	if err != nil || results[0].Errors != 20 || !strings.Contains(results[0].FirstError, "refused") {
		t.Errorf("results %+v, error %v", results, err)
	}
}

func gsoapGivesUp(t *testing.T, program string) {
	// It accepts, by the kernel's hand, and never answers.
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	work := jobFor(t, netip.MustParseAddrPort(listener.Addr().String()))
	work.Requests = 100_000
	work.Deadline = 20 * time.Millisecond
	measured, err := runRound(t.Context(), Plan{Executable: program}, work, 1)
	if err != nil {
		t.Fatal(err)
	}
	found := measured.reports[0]
	took := time.Duration(found.Finished - found.Started)
	if found.Errors != work.Requests || took < patience*work.Deadline || took > requestDeadline {
		t.Errorf("%d errors in %v", found.Errors, took)
	}
}

func gsoapHost(t *testing.T, program string) {
	served := newDirectory(t, func(d *directory) {
		d.before = func(r *http.Request) {
			if r.Host != "directory.example:8640" {
				t.Errorf("header Host: %q", r.Host)
			}
		}
	})
	work := jobFor(t, served.address(t))
	work.Host = "directory.example:8640"
	measured, err := runRound(t.Context(), Plan{Executable: program}, work, 1)
	if err != nil || measured.reports[0].Errors != 0 {
		t.Errorf("%+v, error %v", measured, err)
	}
}

func gsoapRefuses(t *testing.T, program string) {
	f := func(status int, want string, options ...string) {
		t.Helper()
		var complaint bytes.Buffer
		command := exec.CommandContext(t.Context(), program, options...)
		command.Stderr = &complaint
		out, _ := command.Output() // its error is the status, which is looked at
		if got := command.ProcessState.ExitCode(); got != status || !strings.Contains(complaint.String(), want) || len(out) > 0 {
			t.Errorf("%q: exit status %d, standard output %q, standard error %q", options, got, out, complaint.String())
		}
	}
	numbers := func(lines ...string) string { return writeNumbers(t, lines...) }
	f(2, "no file of numbers")
	f(2, "usage: codecs", "--speed", "1")
	f(2, "is no number", "--requests", "-1")
	f(2, "not between", "--numbers", "x", "--requests", "0")
	f(2, "not between", "--numbers", "x", "--timeout-ms", "60001")
	f(2, "soap only", "--door", "curl")
	f(1, "No such file", "--numbers", numbers("number")+".absent")
	f(1, "no header", "--numbers", numbers(""))
	f(1, "no numbers", "--numbers", numbers("number,codecs"))
	f(1, "no column number", "--numbers", numbers("digits,codecs", "1,ulaw"))
	f(1, "without a number", "--numbers", numbers("number,codecs", ",ulaw"))
	f(1, "too long", "--numbers", numbers("number", strings.Repeat("1", 2<<20)))
	f(1, "changed while it was in use", "--numbers", numbers("number", "1"), "--rows", "2")
}

func gsoapCompilesWithoutWarning(t *testing.T, program string) {
	build := filepath.Dir(program)
	sources, err := filepath.Glob(filepath.Join(build, "..", "*.c"))
	if err != nil || len(sources) < 5 {
		t.Fatalf("sources %q, error %v", sources, err)
	}
	options := []string{"-std=gnu11", "-fsyntax-only", "-Wall", "-Wextra", "-Wshadow", "-Werror", "-isystem", build}
	if said, err := exec.CommandContext(t.Context(), "gcc", append(options, sources...)...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
}

func TestGSOAPNeedsAWSDL(t *testing.T) {
	needGSOAP(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/hello" {
			http.NotFound(w, r)
			return
		}
		w.Write([]byte("hello"))
	}))
	defer server.Close()
	f := func(path string, want ...string) {
		t.Helper()
		_, err := BuildGSOAP(t.Context(), t.TempDir(), server.URL+path)
		for _, part := range want {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: error %v, want %q in it", path, err, part)
			}
		}
	}
	f("/elsewhere", "fetch the WSDL", "404", "is the URL right?")
	f("/hello", "build it", gsoapPackages)
}

func TestGSOAPNamesTheMissingProgram(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := BuildGSOAP(t.Context(), t.TempDir(), "http://127.0.0.1:1/soap")
	for _, part := range []string{"wsdl2h", gsoapPackages} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("error %v, want %q in it", err, part)
		}
	}
}
