package lab

import (
	"embed"
	"encoding/csv"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

//go:embed scenarios
var scenarios embed.FS

// SIPp is a run of the program sipp.
type SIPp struct {
	Scenario string // name in the folder scenarios, or the XML itself
	To       int    // the port of 127.0.0.1 that is called; 0 for one that waits
	Port     int    // its own; default a free one
	Calls    int    // how many
	InFlight int    // at most so many at a time; default 1
	Rate     int    // new calls a second; default as fast as InFlight allows
	Lines    [][]string
	Keys     map[string]string // [name] in the scenario
	Timeout  time.Duration     // for all; default a minute
}

// Calls is how a run of SIPp went.
type Calls struct {
	Good, Bad int
	Took      time.Duration
	CPU       time.Duration   // that SIPp itself spent
	Times     []time.Duration // of the pieces that the scenario times, sorted
	Messages  string          // what went over the wire, when few calls were made
	Errors    string
}

// Running is SIPp at work in the background.
type Running struct {
	SIPp
	folder  string
	command *exec.Cmd
	began   time.Time
	took    time.Duration
	ended   chan struct{}
	out     *Log
}

// tracedCalls is how many calls a run may have to keep its messages.
const tracedCalls = 50

// Run runs it to the end.
func (s SIPp) Run(t T) Calls {
	t.Helper()
	return s.Start(t).Wait(t)
}

// Start starts it.
func (s SIPp) Start(t T) *Running {
	t.Helper()
	NeedProgram(t, "sipp")
	if s.Port == 0 {
		s.Port = FreePort(t)
	}
	s.InFlight, s.Timeout = max(s.InFlight, 1), max(s.Timeout, time.Minute)
	r := &Running{SIPp: s, folder: t.TempDir(), ended: make(chan struct{}), out: &Log{}}
	r.command = exec.Command("sipp", r.arguments(t)...)
	r.command.Dir = r.folder
	r.command.SysProcAttr = dieWithUs()
	r.command.Stdout, r.command.Stderr = r.out, r.out
	r.began = time.Now()
	if err := r.command.Start(); err != nil {
		t.Fatalf("%v", err)
	}
	go func() {
		_ = r.command.Wait() // the statistics tell more than its exit status
		r.took = time.Since(r.began)
		close(r.ended)
	}()
	t.Cleanup(func() {
		_ = r.command.Process.Kill() // it may have ended
		<-r.ended
	})
	if s.To == 0 {
		Eventually(t, 10*time.Second, "SIPp listens", func() bool { return listensUDP(t, s.Port) })
	}
	return r
}

func (r *Running) arguments(t T) []string {
	t.Helper()
	scenario := r.Scenario
	if !strings.Contains(scenario, "<") {
		text, err := scenarios.ReadFile("scenarios/" + scenario + ".xml")
		if err != nil {
			t.Fatalf("%v", err)
		}
		scenario = string(text)
	}
	for name, value := range r.Keys {
		scenario = strings.ReplaceAll(scenario, "["+name+"]", value)
	}
	path := filepath.Join(r.folder, "scenario.xml")
	if err := os.WriteFile(path, []byte(scenario), 0o600); err != nil {
		t.Fatalf("%v", err)
	}
	seconds := strconv.Itoa(int(r.Timeout.Seconds()) + 1)
	arguments := []string{
		"-sf", path, "-i", "127.0.0.1", "-p", strconv.Itoa(r.Port), "-nostdin", "-trace_stat", "-stf", "statistics.csv", "-fd", "1", "-trace_err", "-error_file", "errors.log",
		"-timeout", seconds, "-trace_rtt", "-rtt_freq", "1", "-default_behaviors", "all,-bye", "-l", strconv.Itoa(r.InFlight), "-skip_rlimit",
	}
	if r.Calls > 0 {
		arguments = append(arguments, "-m", strconv.Itoa(r.Calls))
	}
	if r.Calls <= tracedCalls {
		arguments = append(arguments, "-trace_msg", "-message_file", "messages.log")
	}
	if r.To > 0 {
		rate := r.Rate
		if rate == 0 {
			rate = 5000 // InFlight is the limit
		}
		arguments = append(arguments, "-r", strconv.Itoa(rate), fmt.Sprintf("127.0.0.1:%d", r.To))
	}
	if len(r.Lines) > 0 {
		lines := append([][]string{{"SEQUENTIAL"}}, r.Lines...)
		writeCSV(t, filepath.Join(r.folder, "lines.csv"), ';', lines)
		arguments = append(arguments, "-inf", "lines.csv")
	}
	return arguments
}

// Stop ends a run that waits for calls and tells how it went.
func (r *Running) Stop(t T) Calls {
	t.Helper()
	_ = r.command.Process.Signal(os.Interrupt) // it may have ended
	select {
	case <-r.ended:
	case <-time.After(5 * time.Second):
		_ = r.command.Process.Kill()
		<-r.ended
	}
	return r.calls(t)
}

// Wait waits for the end of a run and tells how it went.
func (r *Running) Wait(t T) Calls {
	t.Helper()
	select {
	case <-r.ended:
	case <-time.After(r.Timeout + 20*time.Second):
		_ = r.command.Process.Kill()
		<-r.ended
	}
	return r.calls(t)
}

// calls reads what SIPp wrote.
func (r *Running) calls(t T) Calls {
	t.Helper()
	c := Calls{Took: r.took, Messages: r.read("messages.log"), Errors: r.read("errors.log")}
	rows, err := statistics(r.read("statistics.csv"))
	if err != nil {
		t.Fatalf("SIPp's statistics: %v\n%s\n%s", err, r.out, c.Errors)
	}
	last := rows[len(rows)-1]
	c.Good, c.Bad = last["SuccessfulCall(C)"], last["FailedCall(C)"]
	c.Times = r.times()
	if state := r.command.ProcessState; state != nil {
		c.CPU = state.UserTime() + state.SystemTime()
	}
	return c
}

func (r *Running) read(name string) string {
	text, _ := os.ReadFile(filepath.Join(r.folder, name)) // not written: nothing to tell
	return string(text)
}

// statistics reads the counters of SIPp's CSV, a row a second.
func statistics(text string) ([]map[string]int, error) {
	reader := csv.NewReader(strings.NewReader(text))
	reader.Comma, reader.FieldsPerRecord, reader.LazyQuotes = ';', -1, true
	records, err := reader.ReadAll()
	if err != nil || len(records) < 2 {
		return nil, fmt.Errorf("%d rows: %w", len(records), err)
	}
	var rows []map[string]int
	for _, record := range records[1:] {
		row := map[string]int{}
		for i, value := range record {
			if n, err := strconv.Atoi(value); err == nil && i < len(records[0]) {
				row[records[0][i]] = n
			}
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// times reads the response times, in milliseconds.
func (r *Running) times() []time.Duration {
	files, err := filepath.Glob(filepath.Join(r.folder, "*_rtt.csv"))
	if err != nil || len(files) == 0 {
		return nil
	}
	var times []time.Duration
	for line := range strings.Lines(r.read(filepath.Base(files[0]))) {
		fields := strings.Split(strings.TrimSpace(line), ";")
		if len(fields) < 2 {
			continue
		}
		if ms, err := strconv.ParseFloat(fields[1], 64); err == nil {
			times = append(times, time.Duration(ms*float64(time.Millisecond)))
		}
	}
	slices.Sort(times)
	return times
}

// Quantile is the time that a share of the pieces did not pass.
func (c Calls) Quantile(share float64) time.Duration {
	if len(c.Times) == 0 {
		return 0
	}
	return c.Times[min(int(share*float64(len(c.Times))), len(c.Times)-1)]
}

// listensUDP tells whether a process has bound the UDP port on 127.0.0.1.
func listensUDP(t T, port int) bool {
	t.Helper()
	table, err := os.ReadFile("/proc/net/udp")
	if err != nil {
		t.Fatalf("%v", err)
	}
	return strings.Contains(string(table), fmt.Sprintf("0100007F:%04X ", port))
}
