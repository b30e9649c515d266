package test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"asterism/test/lab"
)

// writer writes contacts and aors until told to stop, and remembers what was
// acknowledged. A write whose answer never came may have happened or not.
type writer struct {
	mu       sync.Mutex // guards the fields below
	acked    map[string]string
	doubtful map[string]bool
}

func (w *writer) write(client *http.Client, at string, round, worker int, stop <-chan struct{}) {
	for i := 0; ; i++ {
		select {
		case <-stop:
			return
		default:
		}
		id, mark := fmt.Sprintf("%d-%d-%d", round, worker, i/2), fmt.Sprintf("v%d", i)
		path, body, key := "/rt/ps_contacts/store", "id="+id+"%3B%40x&expiration_time=4102444800&user_agent="+mark, "ps_contacts "+id+";@x"
		if worker == 0 { // configuration: straight to SQL, behind the load
			path, body, key = "/rt/ps_aors/store", "id="+id+"&mailboxes="+mark, "ps_aors "+id
		}
		answer, err := ask(client, at, path, body)
		w.mu.Lock()
		if err != nil || answer != "1" {
			w.doubtful[key] = true
			w.mu.Unlock()
			return
		}
		w.acked[key] = mark
		w.mu.Unlock()
	}
}

// check asks a node for everything that was ever acknowledged.
func (w *writer) check(t *testing.T, at string) {
	t.Helper()
	columns := map[string]string{"ps_contacts": "user_agent", "ps_aors": "mailboxes"}
	for key, mark := range maps.All(w.acked) {
		family, id, _ := strings.Cut(key, " ")
		row, err := ask(http.DefaultClient, at, "/rt/"+family+"/single", "id="+strings.NewReplacer(";", "%3B", "@", "%40").Replace(id))
		if err != nil {
			t.Fatal(err)
		}
		if got := field(row, columns[family]); got != mark && !w.doubtful[key] {
			t.Fatalf("%s was acknowledged as %s; now it is %q (%q)", key, mark, got, row)
		}
	}
}

// numbersFile writes a CSV of n numbers.
func numbersFile(t *testing.T, n int) string {
	t.Helper()
	var text strings.Builder
	text.WriteString("number,codecs\n")
	for i := range n {
		fmt.Fprintf(&text, "%d,%s\n", 4930000000+i, codecsOf(i))
	}
	path := filepath.Join(t.TempDir(), "numbers.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// codecsOf gives the codecs of the i-th number, as the CSV quotes them.
func codecsOf(i int) string {
	return []string{"ulaw", `"alaw,g722"`, `"opus,g722,alaw"`, `"g729,ulaw"`}[i%4]
}

func TestKillLosesNothingThatWasAcknowledged(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	h := lab.NewHome(t)
	file := numbersFile(t, 60_000)
	w := &writer{acked: map[string]string{}, doubtful: map[string]bool{}}
	for round := range rounds(t) {
		node := h.Serve(t)
		load := h.Command("load", "numbers", file)
		if err := load.Start(); err != nil {
			t.Fatal(err)
		}
		stop := make(chan struct{})
		var workers sync.WaitGroup
		for worker := range 8 {
			client := &http.Client{Transport: &http.Transport{}}
			workers.Go(func() { w.write(client, node.Asterisk, round, worker, stop) })
		}
		life := time.NewTimer(time.Duration(100+random.IntN(900)) * time.Millisecond)
		<-life.C
		if random.IntN(2) == 0 {
			_ = load.Process.Kill() // it may have finished
		}
		node.Kill(t)
		close(stop)
		workers.Wait()
		_ = load.Wait() // killed or not: what it did whole is in SQL

		node = h.Serve(t)
		w.check(t, node.Asterisk)
		lab.Eventually(t, 20*time.Second, "the digest of the node equals that of SQL", func() bool {
			return maps.Equal(digestOf(t, fetch(t, "http://"+node.People+"/api/v1/digest")), digestOf(t, h.Run(t, "check", "--digest", "--json")))
		})
		node.End(t)
	}
	t.Logf("%d acknowledged writes, all there", len(w.acked))
}
