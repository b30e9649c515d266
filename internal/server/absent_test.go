package server

import (
	"slices"
	"testing"

	"asterism/internal/absent"
)

// TestWhatIsAskedForAndAbsentIsNamed: on every wire, in status and in metrics;
// what strangers send does no harm there.
func TestWhatIsAskedForAndAbsentIsNamed(t *testing.T) {
	t.Parallel()
	s, _ := seeded(t, `INSERT INTO ps_endpoints (id, context) VALUES ('6001', 'in')`, `INSERT INTO numbers (number, codecs, enabled) VALUES ('2', 'ulaw', 'no')`)
	soapCodecs := func(number string) {
		s.raw(t, call(plainHeader, soapOpen+`<GetCodecs xmlns="urn:asterism:v1"><number>`+number+`</number></GetCodecs>`+soapClose))
	}
	for range 5 {
		s.ask(t, "/rt/ps_endpoints/single", "id=scanner")
	}
	for range 4 {
		s.ask(t, "/rt/ps_contacts/multi", "id%20LIKE=6001%3B%40%25")
	}
	for range 2 {
		s.get(t, "/lookup?number=1")
		soapCodecs("1")
		s.raw(t, call(plainHeader, realtimeCall("RealtimeSingle", "ps_endpoints", "id scanner", "")))
	}
	for range 3 {
		s.ask(t, "/rt/ps_auths/single", "password=geheim")
	}
	s.ask(t, "/rt/ps_endpoints/single", "id=%22%5C%0A%FF%1B%5B2J")
	s.ask(t, "/rt/ps_endpoints/single", "id=%22%5C%0D%FE%1B%5B2J")
	for _, there := range []string{"id=6001", "nosuch=1"} {
		s.ask(t, "/rt/ps_endpoints/single", there)
	}
	s.ask(t, "/rt/ps_contacts/multi", "expiration_time%20%3C%3D=1760000000")
	s.get(t, "/lookup?number=2")
	soapCodecs("2")

	want := []absent.Key{
		{Client: "127.0.0.1", Family: "ps_endpoints", Key: "id=scanner", Count: 7},
		{Client: "127.0.0.1", Family: "numbers", Key: "number=1", Count: 4},
		{Client: "127.0.0.1", Family: "ps_contacts", Key: "id LIKE 6001;@%", Count: 4},
		{Client: "127.0.0.1", Family: "ps_auths", Key: "password=[secret]", Count: 3},
		{Client: "127.0.0.1", Family: "ps_endpoints", Key: "id=\"\\\uFFFD\uFFFD\uFFFD[2J", Count: 2},
	}
	client, err := Dial(s.config.Node.State)
	if err != nil {
		t.Fatal(err)
	}
	report, err := client.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got := report.Nodes[0].Absent; !slices.Equal(got, want) {
		t.Errorf("%+v, want\n%+v", got, want)
	}
	metric := `asterism_absent_asked{client="127.0.0.1",family="ps_endpoints",key="id=\"\\` + "\uFFFD\uFFFD\uFFFD" + `[2J"}`
	if got := s.metric(t, metric); got != 2 {
		t.Errorf("%v of %s in\n%s", got, metric, s.people(t, "/metrics"))
	}
	if got := s.metric(t, `asterism_absent_asked{client="127.0.0.1",family="ps_endpoints",key="id=scanner"}`); got != 7 {
		t.Errorf("the metric says %v", got)
	}
}
