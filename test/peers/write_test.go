package main

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// contenderWith has the runs of one server: CPU in microseconds for each request.
func contenderWith(name string, micros ...int) *contender {
	c := &contender{name: name, wire: wire{name: name}}
	for _, each := range micros {
		c.runs = append(c.runs, figures{Requests: 1000, Elapsed: time.Second, CPU: time.Duration(each) * time.Millisecond})
	}
	return c
}

func allContenders() []*contender {
	return []*contender{
		contenderWith(nginxSOAP, 9, 7, 8), contenderWith(gsoapSOAP, 40, 41, 42), contenderWith(oursSOAP, 16, 16, 99),
		contenderWith(nginxCurl, 10), contenderWith(oursCurl, 10),
	}
}

func TestAimsAreJudgedByTheMedian(t *testing.T) {
	text := verdicts(allContenders())
	for _, want := range []string{
		"| SOAP: CPU at most that of nginx's constant | 2.00 | **no** |",
		"| SOAP: CPU at most half of the gSOAP server's | 0.39 | yes |",
		"| curl wire: CPU at most that of nginx's constant | 1.00 | yes |",
		"1,000, 1.00 times | **no** |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if table := peerTable(allContenders()); !strings.Contains(table, "| 8.0 (7.0 to 9.0) |") {
		t.Errorf("no median with its range in\n%s", table)
	}
}

func TestChartIsXMLWithABarForEach(t *testing.T) {
	chart, bars := xml.NewDecoder(strings.NewReader(drawChart(allContenders()))), 0
	for {
		token, err := chart.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if element, ok := token.(xml.StartElement); ok && element.Name.Local == "rect" {
			bars++
		}
	}
	if bars != 5 {
		t.Errorf("%d bars, want 5", bars)
	}
}

// TestDocumentHasEverySection keeps a long run from ending without a place for
// its figures.
func TestDocumentHasEverySection(t *testing.T) {
	original, err := os.ReadFile(filepath.Join("..", "..", "docs", "bench.md"))
	if err != nil {
		t.Fatal(err)
	}
	document := filepath.Join(t.TempDir(), "bench.md")
	if err := os.WriteFile(document, original, 0o600); err != nil {
		t.Fatal(err)
	}
	sections := map[string]string{"chart": "<svg/>"}
	for _, name := range []string{"machine", "peers", "sizes", "2004", "inside"} {
		sections[name] = "figures of " + name
	}
	if err := write(document, sections); err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	for name, section := range sections {
		if name != "chart" && !strings.Contains(string(written), section) {
			t.Errorf("no %q in the document", section)
		}
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(document), chartFile)); err != nil {
		t.Error(err)
	}
}

func TestNumbersAreWrittenForPeople(t *testing.T) {
	f := func(n int, want string) {
		t.Helper()
		if got := thousands(n); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	f(0, "0")
	f(999, "999")
	f(1000, "1,000")
	f(10_000_000, "10,000,000")
	if got := median([]float64{4, 1, 3, 2}); got != 2.5 {
		t.Errorf("the median of 1 to 4 is %v", got)
	}
}
