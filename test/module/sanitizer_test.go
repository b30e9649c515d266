package module

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"asterism/test/lab"
)

// ours are frames of the module, its stubs and its gSOAP in a report.
var ours = regexp.MustCompile(`res_config_asterism|/lab-modules/|stdsoap2|soap[CH]`)

// TestTheModuleTouchesOnlyItsMemory builds the module with AddressSanitizer and lets
// phones register and call while the server is killed again and again: no access that
// isn't right, and at the end no memory that nobody holds. On the newest only:
// with the sanitizer of the old suite's compiler Asterisk 16 hangs in its boot.
func TestTheModuleTouchesOnlyItsMemory(t *testing.T) {
	release := lab.Asterisk22.With(lab.Native)
	phones := lab.Phones{First: 20_000, Count: 1_000}
	home := lab.NewHome(t)
	phones.Load(t, home)
	home.Load(t, "numbers", [][]string{{"number", "codecs"}, {number(1), "ulaw"}})
	node := home.Serve(t)
	a := release.Prepare(t, lab.Settings{
		Node: node.Asterisk, Families: append([]string{"numbers", "extensions", "queues", "queue_members"}, lab.PJSIP...),
		Build: []string{"EXTRA='-fsanitize=address -fno-omit-frame-pointer'", "CFLAGS='-O1 -g'"},
		Files: map[string]string{"sorcery.conf": lab.Sorcery, "extensions.conf": "[general]\n[phones]\nexten => _X.,1,Set(c=${ASTERISM_CODECS(" + number(1) + ")})\nsame => n,Answer()\nsame => n,Wait(1)\n[none]\nswitch => Realtime/none@extensions\n"},
	})
	a.Run(t, "LD_PRELOAD="+sanitizer(t, release), "ASAN_OPTIONS=verbosity=1:detect_leaks=1:exitcode=0:log_path="+a.Inside("log/asan"), "LSAN_OPTIONS=report_objects=0:print_suppressions=0")
	kills := sized(5, 100)
	killed := make(chan struct{})
	go func() {
		defer close(killed)
		killing(t, home, node, kills)
	}()
	registers := phones.Registering(a, 5998, 3600, 30)
	registers.Calls, registers.Timeout = sized(300, 5_000), 10*time.Minute
	calls := lab.SIPp{
		Scenario: "call", To: a.SIP, Calls: sized(50, 500), InFlight: 10, Keys: map[string]string{"payloads": "0", "pause": "0"},
		Lines: phones.Part(0, 50).Lines(func(string) string { return number(1) }), Timeout: 10 * time.Minute,
	}
	registered, called := 0, 0
	for going := true; going || registered < registers.Calls || called < calls.Calls; { // beside the kills, and after them
		registered += registers.Run(t).Good
		called += calls.Run(t).Good
		select {
		case <-killed:
			going = false
		default:
		}
	}
	for _, command := range []string{"asterism show status", "asterism show cache", "asterism flush cache numbers", "asterism flush cache", "module reload res_config_asterism.so", "queue show"} {
		a.CLI(t, "%s", command)
	}
	phones.Register(t, a, 5998, 3600, 30)
	a.Stop(t)
	t.Logf("asterisk %s: %d REGISTERs and %d calls answered well, %d kills", release.Name, registered, called, kills)
	reports(t, a)
}

// sanitizer is the library that a process starts with, which is no part of the module.
func sanitizer(t *testing.T, release lab.Release) string {
	t.Helper()
	root := release.Root(t)
	found, err := filepath.Glob(filepath.Join(root, "usr/lib/x86_64-linux-gnu/libasan.so.?"))
	if err != nil || len(found) == 0 {
		t.Fatalf("no libasan in %s: %v", root, err)
	}
	return strings.TrimPrefix(found[len(found)-1], root)
}

// killing kills and starts the node so many times, each time under way.
func killing(t *testing.T, home *lab.Home, node *lab.Node, kills int) {
	for range kills {
		<-time.After(300 * time.Millisecond)
		node.Kill(t)
		node = home.Serve(t)
	}
}

// reports fails for each report of the sanitizer that has a frame of ours.
func reports(t *testing.T, a *lab.Asterisk) {
	t.Helper()
	files, err := filepath.Glob(a.Outside("log/asan.*"))
	if err != nil {
		t.Fatal(err)
	}
	seen := false
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, report := range regexp.MustCompile(`\n\n+`).Split(string(text), -1) {
			seen = seen || strings.Contains(report, "AddressSanitizer Init done")
			if ours.MatchString(report) {
				t.Errorf("asterisk %s: %.4000s", a.Release.Name, report)
			}
		}
	}
	if !seen {
		t.Error("the sanitizer did not say that it ran")
	}
}
