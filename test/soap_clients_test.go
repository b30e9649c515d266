package test

import (
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"asterism/test/lab"
)

// TestClientsOfOthersGetTheSameAnswers lets SOAP clients that others wrote read
// the WSDL of a serving node and ask all that can be asked, in both versions of
// SOAP; what they print must be the same, but for the deviations.
func TestClientsOfOthersGetTheSameAnswers(t *testing.T) {
	room := make(chan struct{}, 2) // toolkits at a time: they take a processor each
	for _, kit := range toolkits {
		t.Run(kit.name, func(t *testing.T) {
			t.Parallel()
			room <- struct{}{}
			defer func() { <-room }()
			kit.need(t)
			used := make([]bool, len(deviations))
			for _, version := range []string{"1.1", "1.2"} {
				t.Run(version, func(t *testing.T) { clientAgrees(t, kit, version, used) })
			}
			for i, d := range deviations {
				if !used[i] && (d.of(kit.name, "1.1") || d.of(kit.name, "1.2")) {
					t.Errorf("nothing deviates at %q any more: take it out of the list", d.what)
				}
			}
		})
	}
}

// clientAgrees runs all steps with one client against a node of its own.
func clientAgrees(t *testing.T, kit toolkit, version string, used []bool) {
	h := lab.NewHome(t)
	fill(t, h)
	node := h.Serve(t)
	between := newRelay(t, node.Asterisk)
	client := startClient(t, kit.command(t, "http://"+between.address+"/soap?wsdl", version))
	var before answered
	for _, s := range soapSteps() {
		want := kit.expected(s, version, used)
		connections := between.connections()
		between.forget()
		got := client.ask(t, s)
		if !got.is(want) {
			said, heard := between.last()
			t.Errorf("%s: %s\nprints %s\nwant   %s\nsaid %.3000s\nheard %.3000s", s.what, s.call, got.text, want, said, heard)
			continue
		}
		if got.instance == "" { // a fault
			continue
		}
		if before.instance != "" && (got.instance != before.instance || got.revision < before.revision || s.writes && got.revision == before.revision) {
			t.Errorf("%s: instance %s, revision %d after %s, %d", s.what, got.instance, got.revision, before.instance, before.revision)
		}
		before = got
		if opened := between.connections() - connections; s.times > 1 && opened > 1 {
			t.Errorf("%s: %d connections for %d calls", s.what, opened, s.times)
		}
	}
	client.end(t)
	speaks(t, between, version)
	row, err := ask(http.DefaultClient, node.Asterisk, "/rt/queues/single", "name=stays")
	if err != nil {
		t.Fatal(err)
	}
	want := kit.expected(step{what: "on the curl wire", want: odd}, version, used)
	if got := strings.NewReplacer("\n", `\n`, "\r", `\r`).Replace(field(row, "musiconhold")); got != want {
		t.Errorf("the client wrote %q, the curl wire says %q", want, got)
	}
}

// fill puts into a store what the steps ask for.
func fill(t *testing.T, h *lab.Home) {
	t.Helper()
	load := func(family, text string) {
		t.Helper()
		path := filepath.Join(h.Folder, family)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		h.Run(t, "load", family, path)
	}
	load("numbers", numbersForClients)
	load("queue_members", members())
	load("ast_config", "id,filename,cat_metric,var_metric,category,var_name,var_val,commented\n"+
		"1,queues.conf,0,0,support,strategy,a;b<c>😀,0\n2,queues.conf,1,0,general,x,,0\n3,queues.conf,1,1,general,y,1,1\n")
}

// speaks checks that the client really spoke that version, and heard it.
func speaks(t *testing.T, between *relay, version string) {
	t.Helper()
	envelope, kind := "http://schemas.xmlsoap.org/soap/envelope/", "text/xml"
	if version == "1.2" {
		envelope, kind = "http://www.w3.org/2003/05/soap-envelope", "application/soap+xml"
	}
	said, heard := between.last()
	for _, text := range []string{said, heard} {
		if !strings.Contains(text, `"`+envelope+`"`) || !strings.Contains(text, kind) {
			t.Errorf("no SOAP %s goes over the wire:\n%.2000s", version, text)
		}
	}
}

// answered is a line that a client printed.
type answered struct {
	text, instance, rest string
	revision             uint64
}

// parseAnswer takes a line apart; a fault or a refusal has no instance.
func parseAnswer(text string) answered {
	head, rest, _ := strings.Cut(text, "\t")
	instance, number, _ := strings.Cut(head, " ")
	revision, err := strconv.ParseUint(number, 10, 64)
	if err != nil {
		return answered{text: text, rest: text}
	}
	return answered{text: text, instance: instance, rest: rest, revision: revision}
}

// is compares the line with what a step wants.
func (a answered) is(want string) bool {
	if want == refused {
		return strings.HasPrefix(a.text, refused+" ")
	}
	return a.rest == want && strings.HasPrefix(want, "fault ") == (a.instance == "")
}
