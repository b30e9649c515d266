package bench

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestNumbersFileFaultsAreNamed(t *testing.T) {
	f := func(want string, lines ...string) {
		t.Helper()
		path := writeNumbers(t, lines...)
		_, err := countNumbers(path)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("error %v, want %q and the path in it", err, want)
		}
	}
	f("no column number", "telephone,codecs", "1,ulaw")
	f("no numbers below", "number,codecs")
	f("line 3: the number is empty", "number,codecs", "1,ulaw", ",alaw")
	f("line 3", "number,codecs", "1,ulaw", "2,ulaw,alaw") // unquoted
	f("header", "")
}

func TestNumbersFileSpellings(t *testing.T) {
	f := func(number, codecs string, checked bool, lines ...string) {
		t.Helper()
		numbers, err := openNumbers(writeNumbers(t, lines...))
		if err != nil {
			t.Fatal(err)
		}
		defer numbers.close()
		got, err := numbers.next()
		if want := (question{number, codecs}); err != nil || got != want || numbers.checked() != checked {
			t.Errorf("%q: got %+v, checked %v, error %v", lines, got, numbers.checked(), err)
		}
	}
	f("+1", "ulaw,alaw", true, "number,codecs", `+1,"ulaw,alaw"`)
	f("+1", "g722", true, "codecs,tenant,number", "g722,acme,+1")
	f("+1", "", true, "number,codecs", "+1,")
	f("+1", "", false, "\ufeffnumber", "+1")
}

func TestDrawAsksAllRowsAlike(t *testing.T) {
	const rows, requests = 8, 8000
	lines := []string{"number,codecs"}
	for row := range rows {
		lines = append(lines, strings.Repeat("9", row+1)+",ulaw")
	}
	drawn, err := drawNumbers(writeNumbers(t, lines...), rows, requests, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	times := make([]int, rows)
	for _, at := range drawn.order {
		times[len(drawn.questions[at].number)-1]++
	}
	if slices.Min(times) < requests/rows*8/10 || slices.Max(times) > requests/rows*12/10 {
		t.Errorf("rows were drawn %v times", times)
	}
}

func TestDrawKeepsOnlyWhatIsAsked(t *testing.T) {
	path := writeNumbers(t, "number", "1", "2", "3", "4", "5", "6", "7", "8")
	drawn, err := drawNumbers(path, 8, 2, rand.New(rand.NewPCG(1, 1)))
	if err != nil || len(drawn.questions) > 2 || len(drawn.order) != 2 {
		t.Errorf("drawn %+v, error %v", drawn, err)
	}
	again, _ := drawNumbers(path, 8, 2, rand.New(rand.NewPCG(1, 1)))
	if !slices.Equal(drawn.questions, again.questions) {
		t.Errorf("the same seed drew %v and %v", drawn.questions, again.questions)
	}
}
