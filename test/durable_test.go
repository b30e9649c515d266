package test

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"asterism/test/lab"
)

func contains(text, part string) bool { return strings.Contains(text, part) }

// TestAnAnsweredContactIsOnTheDisk looks at the system calls: between the read of
// a contact's last byte and the write of its answer stands an fsync.
func TestAnAnsweredContactIsOnTheDisk(t *testing.T) {
	lab.NeedProgram(t, "strace")
	h := lab.NewHome(t)
	trace := filepath.Join(t.TempDir(), "trace")
	command := exec.Command("strace", "-D", "-f", "-s", "600", "-o", trace, "-e", "trace=read,recvfrom,write,sendto,fsync,fdatasync",
		lab.Program, "serve", "--log", "json", "--config", h.Config)
	node := lab.StartNode(t, command)
	answer, err := ask(http.DefaultClient, node.Asterisk, "/rt/ps_contacts/store", "id=traced-contact%3B%40x&expiration_time=4102444800")
	if err != nil || answer != "1" {
		t.Fatalf("%q, %v", answer, err)
	}
	node.End(t)
	text, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	var synced, asked bool
	answered := regexp.MustCompile(`(write|sendto)\(\d+, "HTTP/1.1 200.*\\r\\n\\r\\n1"`)
	for line := range strings.Lines(string(text)) {
		switch {
		case contains(line, "traced-contact%3B") && regexp.MustCompile(`(read|recvfrom)(\(| resumed)`).MatchString(line):
			asked = true
		case asked && regexp.MustCompile(`(fsync|fdatasync)(\(\d+\)| resumed.*) *= 0`).MatchString(line):
			synced = true
		case asked && answered.MatchString(line):
			if !synced {
				t.Errorf("the answer went out before an fsync: %s", line)
			}
			return
		}
	}
	t.Error("the trace shows no question with its answer")
}

func TestAChangeInSQLIsServed(t *testing.T) {
	lab.NeedProgram(t, "sqlite3")
	h := lab.NewHome(t)
	node := h.Serve(t)
	h.SQL(t, "INSERT INTO numbers (number, codecs) VALUES ('4930123', 'ulaw')")
	lab.Eventually(t, 5*time.Second, "the number is served", func() bool {
		return fetch(t, "http://"+node.Asterisk+"/lookup?number=4930123") == "ulaw"
	})
	h.SQL(t, "UPDATE numbers SET codecs = 'opus' WHERE number = '4930123'")
	lab.Eventually(t, 5*time.Second, "the change is served", func() bool {
		return fetch(t, "http://"+node.Asterisk+"/lookup?number=4930123") == "opus"
	})
	h.SQL(t, "DELETE FROM numbers")
	lab.Eventually(t, 5*time.Second, "the number is gone", func() bool {
		return fetch(t, "http://"+node.Asterisk+"/lookup?number=4930123") == ""
	})
}

func TestASetIsServedWhenTheCommandReturns(t *testing.T) {
	h := lab.NewHome(t)
	node := h.Serve(t)
	for _, codecs := range []string{"ulaw", "alaw", "opus", "g722"} {
		h.Run(t, "set", "numbers", "4930124", "codecs="+codecs)
		if got := fetch(t, "http://"+node.Asterisk+"/lookup?number=4930124"); got != codecs {
			t.Errorf("after set %s the node says %q", codecs, got)
		}
	}
}
