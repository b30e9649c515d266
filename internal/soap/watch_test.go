package soap

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"asterism/internal/directory"
)

// watched is an answer to Watch.
type watched struct {
	Instance string `xml:"Body>WatchResponse>instance"`
	Revision uint64 `xml:"Body>WatchResponse>revision"`
	Reset    bool   `xml:"Body>WatchResponse>reset"`
	Families []struct {
		Name    string   `xml:"name"`
		Aliases []string `xml:"alias"`
		Key     []string `xml:"key"`
		Listing string   `xml:"listing"`
	} `xml:"Body>WatchResponse>family"`
	Changes []struct {
		Family string   `xml:"family"`
		Key    []string `xml:"key"`
	} `xml:"Body>WatchResponse>change"`
	Fault string `xml:"Body>Fault>faultstring"`
}

// changed is the changes as words, one for each.
func (w *watched) changed() (out []string) {
	for _, c := range w.Changes {
		out = append(out, strings.Join(append([]string{c.Family}, c.Key...), " "))
	}
	return out
}

// watch asks for what changed since a revision of an instance in families.
func (d *tested) watch(t *testing.T, instance string, revision any, families ...string) watched {
	t.Helper()
	families = slices.Clone(families)
	for i, name := range families {
		families[i] = "<family>" + name + "</family>"
	}
	return d.watchWith(t, fmt.Sprintf("<instance>%s</instance><revision>%v</revision>%s", instance, revision, strings.Join(families, "")))
}

func (d *tested) watchWith(t *testing.T, inner string) (w watched) {
	t.Helper()
	answer := d.say(type11, "", ask(Watch, inner))
	if err := xml.Unmarshal(answer.Body, &w); err != nil {
		t.Fatalf("%v\n%s", err, answer.Body)
	}
	if want := map[bool]int{true: 200, false: 500}[w.Fault == ""]; answer.Status != want {
		t.Errorf("status %d, want %d\n%s", answer.Status, want, answer.Body)
	}
	return w
}

// change publishes a number; "" as codecs takes it away.
func (d *tested) change(t *testing.T, number, codecs string) {
	t.Helper()
	table := d.Directory.View().Table([]byte("numbers"))
	bucket := directory.Bucket{Key: []string{"", number}}
	if codecs != "" {
		b := directory.NewBuilder(table.Columns())
		for column, text := range map[string]string{"number": number, "codecs": codecs} {
			at, _ := table.Columns().Position(column)
			b.Add(at, text)
		}
		bucket.Rows = []directory.Row{b.Row()}
	}
	d.Directory.Publish("numbers", []directory.Bucket{bucket})
}

func TestWatchIsResetAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		door := doorOf(t, 3)
		me, now, begin := door.Directory.Instance(), door.Directory.View().Revision(), time.Now()
		f := func(inner string) {
			t.Helper()
			w := door.watchWith(t, inner)
			if !w.Reset || w.Instance != me || w.Revision != now || len(w.Changes) > 0 || len(w.Families) != len(door.Directory.View().Tables()) {
				t.Errorf("%s answers %+v", inner, w)
			}
		}
		f("")
		f("<instance>" + me + "</instance>")
		f("<revision>1</revision>")
		f(`<instance xsi:nil="true"/><revision xsi:nil="true"/>`)
		f("<instance>another</instance><revision>1</revision>")
		f("<instance>" + me + "</instance><revision>4</revision>") // not yet
		if time.Since(begin) != 0 {
			t.Errorf("answered after %v", time.Since(begin))
		}
	})
}

func TestWatchDescribesFamilies(t *testing.T) {
	door := doorOf(t, 1)
	w := door.watchWith(t, "<family>iaxusers</family><family>extensions</family><family>queue_log</family><family>iaxfriends</family>")
	if got, want := fmt.Sprint(w.Families), "[{iaxfriends [iaxpeers iaxusers] [name] all} {extensions [] [context exten priority] all} {queue_log [] [] none}]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestWatchFaults(t *testing.T) {
	door := doorOf(t, 1)
	me := door.Directory.Instance()
	f := func(revision, family, want string) {
		t.Helper()
		if w := door.watch(t, me, revision, family); w.Fault != want {
			t.Errorf("got  %s\nwant %s", w.Fault, want)
		}
	}
	f("1", "nosuch", `no family "nosuch"`)
	f("1", "", `no family ""`)
	f("-1", "numbers", `the revision must be a whole number, but it is "-1"`)
	f("", "numbers", `the revision must be a whole number, but it is ""`)
	f("1", strings.Repeat(" ", maxWatchBody), "a Watch may have 16384 bytes")
}

func TestWatchAnswersWhatChanged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		door := doorOf(t, 3)
		me, begin := door.Directory.Instance(), time.Now()
		answers := make(chan watched)
		ask := func(since uint64, families ...string) {
			go func() { answers <- door.watch(t, me, since, families...) }()
		}
		f := func(what string, want watched, changed ...string) {
			t.Helper()
			got := <-answers
			if got.Reset != want.Reset || got.Revision != want.Revision || !slices.Equal(got.changed(), changed) || len(got.Families) > 0 {
				t.Errorf("%s: answered %+v", what, got)
			}
		}
		ask(3)
		f("nothing", watched{Revision: 3})
		if time.Since(begin) != time.Second {
			t.Errorf("without a change answered after %v", time.Since(begin))
		}
		ask(3)
		ask(3, "ps_aors")
		synctest.Wait()
		door.change(t, "100001", "opus")
		door.change(t, "100002", "")
		begin = time.Now()
		f("numbers", watched{Revision: 5}, "numbers  100001", "numbers  100002")
		if time.Since(begin) > 20*time.Millisecond {
			t.Errorf("answered %v after the change", time.Since(begin))
		}
		f("another family", watched{Revision: 5})
		ask(1)
		f("what was before", watched{Revision: 5}, "numbers  100001", "numbers  100002")
		ask(5)
		synctest.Wait()
		begin = time.Now()
		door.Directory.EndWaits()
		f("at the end", watched{Revision: 5})
		ask(3)
		f("after the end", watched{Revision: 5}, "numbers  100001", "numbers  100002")
		if time.Since(begin) != 0 {
			t.Errorf("at the end answered after %v", time.Since(begin))
		}
	})
}

func TestWatchOfManyKeysAndOfMoreThanAreRemembered(t *testing.T) {
	door := doorOf(t, 0)
	me := door.Directory.Instance()
	many := func(from, n int) {
		table := door.Directory.View().Table([]byte("numbers"))
		at, _ := table.Columns().Position("number")
		b := directory.NewBuilder(table.Columns())
		var buckets []directory.Bucket
		for i := range n {
			number := fmt.Sprint(from + i)
			b.Add(at, number)
			buckets = append(buckets, directory.Bucket{Key: []string{"", number}, Rows: []directory.Row{b.Row()}})
		}
		door.Directory.Publish("numbers", buckets)
	}
	many(0, watchKeys)
	if w := door.watch(t, me, 0); len(w.Changes) != watchKeys || len(w.Changes[0].Key) != 2 {
		t.Errorf("%d keys are %d changes", watchKeys, len(w.Changes))
	}
	many(watchKeys, 1)
	if w := door.watch(t, me, 0); !slices.Equal(w.changed(), []string{"numbers"}) {
		t.Errorf("a key more is %d changes", len(w.Changes))
	}
	many(1_000_000, directory.MaxChanges-watchKeys/2)
	if w := door.watch(t, me, 0, "numbers"); !w.Reset || len(w.Families) != 1 {
		t.Errorf("what is forgotten is no reset: %d changes", len(w.Changes))
	}
	if w := door.watch(t, me, 1); w.Reset || !slices.Equal(w.changed(), []string{"numbers"}) {
		t.Errorf("what is just remembered: reset %v, %d changes", w.Reset, len(w.Changes))
	}
}

func TestWatchOfAClientThatHungUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		door := doorOf(t, 1)
		door.hungUp = true
		begin := time.Now()
		door.watch(t, door.Directory.Instance(), 1)
		if door.Directory.Waiting() > 0 || time.Since(begin) > time.Second/4 {
			t.Errorf("it waited %v for nobody", time.Since(begin))
		}
	})
}

// TestWatchWaitsOnlyWhereThereIsRoom, asks for a place and says nothing of how fast
// answers are.
func TestWatchWaitsOnlyWhereThereIsRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		door := doorOf(t, 1)
		asked, room := 0, false
		call := callOf(Watch, "<instance>"+door.Directory.Instance()+"</instance><revision>1</revision>")
		call.Wait = func() bool { asked++; return room }
		if answer := door.Answer(t.Context(), nil, call); !answer.Crowded || asked != 1 {
			t.Errorf("without room: %+v, asked %d times", answer, asked)
		}
		room = true
		if answer := door.Answer(t.Context(), nil, call); answer.Crowded || answer.Status != 200 || asked != 2 {
			t.Errorf("with room: %+v, asked %d times", answer, asked)
		}
		call.Quick = true
		if answer := door.Answer(t.Context(), nil, call); !answer.Slow || asked != 2 {
			t.Errorf("a quick one: %+v, asked %d times", answer, asked)
		}
		if _, total, _ := door.Lookups.Seconds.Snapshot(); total != 0 {
			t.Errorf("%d answers count as lookups", total)
		}
	})
}

func callOf(op Op, inner string) Call { return asked(ask(op, inner)) }

// BenchmarkWatchAnswer is an answer with one change, without the wait.
func BenchmarkWatchAnswer(b *testing.B) {
	door := doorOf(b, 1000)
	door.Directory.EndWaits()
	call := callOf(Watch, fmt.Sprintf("<instance>%s</instance><revision>%d</revision>", door.Directory.Instance(), door.Directory.View().Revision()-1))
	buffer := make([]byte, 0, 4096)
	b.ReportAllocs()
	for b.Loop() {
		if answer := door.Answer(b.Context(), buffer, call); answer.Status != 200 {
			b.Fatal(string(answer.Body))
		}
	}
}
