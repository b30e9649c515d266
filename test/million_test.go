package test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"asterism/test/lab"
)

// sizes are those of make soak, or smaller ones that show the same.
func sizes() (rows, asked int) {
	if soaking() {
		return 1_000_000, 10_000
	}
	return 50_000, 300
}

// TestMillionNumbersGetOneAnswerEverywhere loads numbers and asks the command,
// /lookup, the curl wire and SOAP for random ones and for absent ones.
func TestMillionNumbersGetOneAnswerEverywhere(t *testing.T) {
	rows, asked := sizes()
	h := lab.NewHome(t)
	start := time.Now()
	h.Run(t, "load", "numbers", numbersFile(t, rows))
	t.Logf("%d rows loaded in %.1f s", rows, time.Since(start).Seconds())
	node := h.Serve(t)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	var numbers, want []string
	for range asked {
		i := random.IntN(rows)
		numbers, want = append(numbers, fmt.Sprint(4930000000+i)), append(want, strings.Trim(codecsOf(i), `"`))
		numbers, want = append(numbers, fmt.Sprint(4930000000+rows+random.IntN(rows))), append(want, "")
	}
	said := map[string][]string{"asterism lookup": lookups(t, h, numbers)}
	for _, number := range numbers {
		said["/lookup"] = append(said["/lookup"], fetch(t, "http://"+node.Asterisk+"/lookup?number="+number))
		row, err := ask(http.DefaultClient, node.Asterisk, "/rt/numbers/single", "number="+number)
		if err != nil {
			t.Fatal(err)
		}
		said["the curl wire"] = append(said["the curl wire"], field(row, "codecs"))
		codecs, err := soapCodecs(http.DefaultClient, node.Asterisk, number)
		if err != nil {
			t.Fatal(err)
		}
		said["SOAP"] = append(said["SOAP"], codecs)
	}
	for who, answers := range said {
		if !slices.Equal(answers, want) {
			t.Errorf("%s differs from what was loaded", who)
		}
	}
}

// lookups asks the command for all numbers at once; absent ones get no codecs.
func lookups(t *testing.T, h *lab.Home, numbers []string) []string {
	t.Helper()
	var list []struct{ Number, Codecs string }
	out, _ := h.Command(append([]string{"lookup", "--json"}, numbers...)...).Output() // absent ones make it exit 1
	if err := json.Unmarshal(out, &list); err != nil {
		t.Fatalf("%v in %.200s", err, out)
	}
	codecs := make([]string, len(list))
	for i, entry := range list {
		if entry.Number != numbers[i] {
			t.Fatalf("answer %d is about %s, asked was %s", i, entry.Number, numbers[i])
		}
		codecs[i] = entry.Codecs
	}
	return codecs
}

// TestBulkLoadDelaysNoContact writes contacts while a load writes many rows. The
// delays are shown, not judged, but in make soak, where the machine is ours:
// 99.9 % within 50 ms.
func TestBulkLoadDelaysNoContact(t *testing.T) {
	rows, _ := sizes()
	h := lab.NewHome(t)
	node := h.Serve(t)
	load := h.Command("load", "numbers", numbersFile(t, rows))
	if err := load.Start(); err != nil {
		t.Fatal(err)
	}
	loaded := make(chan error, 1)
	go func() { loaded <- load.Wait() }()
	var mu sync.Mutex // guards delays
	var delays []time.Duration
	var writers sync.WaitGroup
	stop := make(chan struct{})
	for worker := range 4 {
		client := &http.Client{Transport: &http.Transport{}}
		writers.Go(func() {
			pace := time.NewTicker(8 * time.Millisecond)
			defer pace.Stop()
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				case <-pace.C:
				}
				began := time.Now()
				answer, err := ask(client, node.Asterisk, "/rt/ps_contacts/store", fmt.Sprintf("id=%d-%d%%3B%%40x&expiration_time=4102444800", worker, i%2000))
				if err != nil || answer != "1" {
					t.Errorf("a contact during the load: %q, %v", answer, err)
					return
				}
				mu.Lock()
				delays = append(delays, time.Since(began))
				mu.Unlock()
			}
		})
	}
	began := time.Now()
	err := <-loaded
	close(stop)
	writers.Wait()
	if err != nil {
		t.Fatalf("the load: %v", err)
	}
	slices.Sort(delays)
	at := func(q float64) time.Duration { return delays[int(q*float64(len(delays)-1))] }
	t.Logf("%d rows loaded in %.1f s; %d contacts beside it: p50 %v, p99 %v, p99.9 %v, max %v", rows, time.Since(began).Seconds(), len(delays), at(0.5), at(0.99), at(0.999), at(1))
	if soaking() && at(0.999) > 50*time.Millisecond {
		t.Errorf("p99.9 is %v, more than 50 ms", at(0.999))
	}
	lab.Eventually(t, time.Minute, "every loaded number is served", func() bool {
		return contains(fetch(t, "http://"+node.People+"/metrics"), fmt.Sprintf("asterism_rows{family=\"numbers\"} %s\n", metric(rows)))
	})
}

// metric spells a number as the exposition format does.
func metric(n int) string {
	if n >= 1_000_000 {
		return "1e+06"
	}
	return fmt.Sprint(n)
}
