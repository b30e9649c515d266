package realtime

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"asterism/internal/directory"
	"asterism/internal/family"
)

// talk is a connection to a door: questions in order, with what it remembers.
type talk struct {
	t      *testing.T
	door   *Door
	recent *Recent
}

// askedDoor gives a door whose listings of endpoints are narrowed, and a clock. It
// has 100 phones, 100 and on; of those only 101, 102 and 103 have a contact, and
// "both" names 101 and 102.
func askedDoor(t *testing.T, aors string) (door *Door, now *time.Time) {
	t.Helper()
	d := directory.New(family.Standard().All(), map[string]string{"ps_endpoints": "asked", "ps_aors": aors})
	put := func(name string, pairs ...string) {
		columns := d.View().Table([]byte(name)).Columns()
		b := directory.NewBuilder(columns)
		for _, pair := range pairs {
			column, text, _ := strings.Cut(pair, "=")
			at, _ := columns.Find([]byte(column))
			b.AddSQL(at, []byte(text))
		}
		row := b.Row()
		d.Publish(name, []directory.Bucket{{Key: d.View().Table([]byte(name)).KeyOf(row), Rows: []directory.Row{row}}})
	}
	for i := range 100 {
		id := fmt.Sprint(100 + i)
		put("ps_endpoints", "id="+id, "aors="+id)
		put("ps_aors", "id="+id)
	}
	put("ps_endpoints", "id=both", "aors=101,102")
	for _, id := range []string{"101", "102", "103"} {
		put("ps_contacts", "id="+id+"^3B@aa", "expiration_time=4102444800")
	}
	door = doorOf(t, 0)
	door.Directory = d
	clock := time.Unix(1_760_000_000, 0)
	door.Now = func() time.Time { return clock }
	return door, &clock
}

// ask asks as a listener does: for a quick answer first.
func (c *talk) ask(uri, body string) (ids string) {
	c.t.Helper()
	request := Request{Method: []byte("POST"), URI: []byte("/rt/" + uri), Body: []byte(body), Recent: c.recent, Quick: true}
	response := c.door.Answer(context.Background(), nil, request)
	if response.Slow {
		request.Quick = false
		response = c.door.Answer(context.Background(), nil, request)
	}
	var out []string
	for line := range strings.Lines(string(response.Body)) {
		id, _, _ := strings.Cut(strings.TrimPrefix(line, "id="), "&")
		out = append(out, id)
	}
	return strings.Join(out, " ")
}

func (c *talk) contacts(aor string) { c.ask("ps_contacts/multi", "id%20LIKE="+aor+"%3B%40%25") }
func (c *talk) aor(aor string)      { c.ask("ps_aors/single", "id="+aor) }
func (c *talk) aors()               { c.ask("ps_aors/multi", "id%20LIKE=%25") }

// endpoints wants the ids of a listing.
func (c *talk) endpoints(when, want string) {
	c.t.Helper()
	if got := c.ask("ps_endpoints/multi", "id%20LIKE=%25"); got != want {
		c.t.Errorf("%s: %q, want %q", when, got, want)
	}
}

const reachable = "both 103 102 101"

func TestEndpointsAreNarrowedToTheAORThatIsNew(t *testing.T) {
	door, now := askedDoor(t, "active")
	f := func(when, want string, before ...func(c *talk)) {
		t.Helper()
		c := &talk{t, door, door.Recent()}
		for _, ask := range before {
			ask(c)
		}
		c.endpoints(when, want)
		c.endpoints(when+", again", reachable)
	}
	contacts := func(aor string) func(*talk) { return func(c *talk) { c.contacts(aor) } }
	aor := func(aor string) func(*talk) { return func(c *talk) { c.aor(aor) } }
	all := func(c *talk) { c.aors() }
	wait := func(d time.Duration) func(*talk) { return func(*talk) { *now = now.Add(d) } }
	f("a new AOR", "103", aor("103"), contacts("103"))
	f("a new AOR of several endpoints", "both 101", aor("101"), contacts("101"))
	f("a new AOR of no endpoint", "", aor("nobody"), contacts("nobody"))
	f("a new AOR that is cached, after another question", "103", aor("101"), contacts("101"), contacts("103"))
	f("a slow Asterisk", "103", aor("103"), contacts("103"), wait(time.Second))

	f("nothing before", reachable)
	f("a synchronization", reachable, all, contacts("101"), contacts("102"))
	f("a synchronization that finds nothing new", reachable, all)
	f("a synchronization on a used connection", reachable, aor("101"), contacts("101"), all, contacts("103"))
	f("a synchronization whose beginning came over another connection", reachable, contacts("102"))
	f("a name that is kept by nobody", reachable, aor("103"), contacts(strings.Repeat("1", longestAOR+1)))
	f("another question between", reachable, aor("103"), contacts("103"), aor("103"))
	f("a console", reachable, aor("103"), contacts("103"), wait(time.Second+1))
}

// TestWhereNothingElseIsListedTheAORDecides: without it there would be nothing.
func TestWhereNothingElseIsListedTheAORDecides(t *testing.T) {
	door, now := askedDoor(t, "none")
	c := &talk{t, door, door.Recent()}
	c.endpoints("nothing before", "")
	c.aors()
	c.endpoints("a synchronization", "")
	c.aor("103")
	c.contacts("103")
	c.endpoints("a new AOR", "103")
	c = &talk{t, door, door.Recent()}
	c.contacts("150")
	*now = now.Add(time.Minute)
	c.endpoints("a new AOR that is cached, on a new connection", "150")
}

func TestConnectionsDoNotMix(t *testing.T) {
	door, _ := askedDoor(t, "active")
	one, other := &talk{t, door, door.Recent()}, &talk{t, door, door.Recent()}
	one.aor("103")
	other.aor("101")
	one.contacts("103")
	other.contacts("101")
	one.endpoints("one", "103")
	other.endpoints("other", "both 101")
}

func TestNothingIsRememberedInVain(t *testing.T) {
	if doorOf(t, 1).Recent() != nil {
		t.Error("connections remember questions though no listing is narrowed")
	}
}

// TestRememberingAllocatesNothing beyond what the question itself does.
func TestRememberingAllocatesNothing(t *testing.T) {
	door, _ := askedDoor(t, "active")
	x, buffer, recent := &exchange{}, make([]byte, 0, 4096), door.Recent()
	cost := func(recent *Recent) float64 {
		request := Request{Method: []byte("POST"), URI: []byte("/rt/ps_contacts/multi"), Body: []byte("id%20LIKE=101%3B%40%25"), Recent: recent}
		return testing.AllocsPerRun(200, func() { x.serve(context.Background(), door, buffer, request) })
	}
	if with, without := cost(recent), cost(nil); with > without {
		t.Errorf("%v allocations, %v without", with, without)
	}
}
