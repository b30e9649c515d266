package trace

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"asterism/internal/directory"
	"asterism/internal/failure"
	"asterism/internal/family"
)

// rowsOf publishes rows, each as column=value texts joined by blanks, in SQL's form.
func rowsOf(t testing.TB, d *directory.Directory, name string, rows ...string) {
	t.Helper()
	table := d.View().Table([]byte(name))
	for _, texts := range rows {
		b := directory.NewBuilder(table.Columns())
		for text := range strings.FieldsSeq(texts) {
			column, value, _ := strings.Cut(text, "=")
			at, ok := table.Columns().Find([]byte(column))
			if !ok {
				t.Fatalf("%s has no column %s", name, column)
			}
			b.AddSQL(at, []byte(value))
		}
		row := b.Row()
		d.Publish(name, []directory.Bucket{{Key: table.KeyOf(row), Rows: []directory.Row{row}}})
	}
}

// phones is a directory with some rows.
func phones(t testing.TB) *directory.Directory {
	t.Helper()
	d := directory.New(family.Standard().All(), nil)
	rowsOf(t, d, "ps_endpoints", "id=6001 context=in", "id=6002 context=in", "id=60011 context=out")
	rowsOf(t, d, "ps_contacts", "id=6001^3B@c4 uri=sip:1", "id=60011^3B@c4 uri=sip:2")
	rowsOf(t, d, "ps_auths", "id=6001 password=geheim username=6001")
	rowsOf(t, d, "queue_members", "queue_name=support interface=PJSIP/6001 uniqueid=1", "queue_name=sales interface=PJSIP/6001 uniqueid=2")
	rowsOf(t, d, "numbers", "number=49 codecs=ulaw", "tenant=acme number=50 codecs=alaw")
	rowsOf(t, d, "ast_config", "id=1 filename=voicemail.conf category=default var_name=1001 var_val=4711,Ann cat_metric=0 var_metric=0")
	return d
}

// asks is an exchange of a question with its answer from the directory. Conditions
// are joined by blanks: column=value, or column~pattern.
func asks(t testing.TB, d *directory.Directory, name, conditions string) *Exchange {
	t.Helper()
	e := &Exchange{Wire: "curl", Verb: "multi", Table: d.View().Table([]byte(name)), Outcome: Miss}
	for text := range strings.FieldsSeq(conditions) {
		op := directory.Equal
		column, value, found := strings.Cut(text, "=")
		if !found {
			op = directory.Like
			column, value, _ = strings.Cut(text, "~")
		}
		e.Conditions = append(e.Conditions, directory.Condition{Column: []byte(column), Op: op, Value: []byte(value)})
	}
	var rows []directory.Row
	e.Table.Find(directory.Query{Conditions: e.Conditions}, func(r directory.Row) bool { rows = append(rows, r); return true })
	e.Answer, e.Count = slices.Values(rows), len(rows)
	if len(rows) > 0 {
		e.Outcome = Hit
	}
	return e
}

func TestAQuestionIsSeenThatIsAboutTheKey(t *testing.T) {
	d := phones(t)
	f := func(want bool, of Filter, name, conditions string) {
		t.Helper()
		s, err := of.compile(d.View())
		if err != nil {
			t.Fatal(err)
		}
		if got := s.about(asks(t, d, name, conditions)); got != want {
			t.Errorf("%+v sees %s where %s: %v, want %v", of, name, conditions, got, want)
		}
	}
	phone := Filter{Key: "6001"}
	f(true, phone, "ps_endpoints", "id=6001")
	f(true, phone, "ps_endpoints", "id=6001@example.com")
	f(true, phone, "ps_endpoints", "id~%")
	f(true, phone, "ps_endpoints", "context=in")
	f(true, phone, "ps_contacts", "id~6001;@%")
	f(true, phone, "ps_contacts", "id=6001;@gone")
	f(true, phone, "queue_members", "interface=PJSIP/6001")
	f(true, phone, "queue_members", "queue_name=sales interface~%")
	f(true, phone, "voicemail", "mailbox=6001 context=default")
	f(false, phone, "ps_endpoints", "id=60011")
	f(false, phone, "ps_endpoints", "id=16001")
	f(false, phone, "ps_endpoints", "context=out")
	f(false, phone, "ps_contacts", "id~60011;@%")
	f(false, phone, "ps_contacts", "id=6001;c4")

	contacts := Filter{Family: "ps_contacts", Key: "6001;@c4"}
	f(true, contacts, "ps_contacts", "id=6001;@c4")
	f(true, contacts, "ps_contacts", "id~6001;@%")
	f(true, contacts, "ps_contacts", "uri=sip:1")
	f(true, contacts, "ps_contacts", "id~6%")
	f(false, contacts, "ps_contacts", "id=6001;@c5")
	f(false, contacts, "ps_contacts", "id~60011;@%")
	f(false, contacts, "ps_endpoints", "id=6001")
	f(true, Filter{Family: "ps_contacts", Key: "6001"}, "ps_contacts", "id~6001;@%")
	f(true, Filter{Family: "ps_contacts", Key: "6003"}, "ps_contacts", "id~6003;@%")
	f(true, Filter{Family: "ps_endpoints", Key: "6003"}, "ps_endpoints", "id=6003@example.com")

	member := Filter{Family: "queue_members", Key: "support,PJSIP/6001"}
	f(true, member, "queue_members", "interface~% queue_name=support")
	f(true, member, "queue_members", "interface=PJSIP/6001")
	f(false, member, "queue_members", "interface~% queue_name=sales")
	f(true, Filter{Family: "queue_members", Key: "new,PJSIP/6001"}, "queue_members", "interface=PJSIP/6001 queue_name=new")
	f(false, Filter{Family: "queue_members", Key: "new,PJSIP/6001"}, "queue_members", "interface=PJSIP/6001")

	f(true, Filter{Family: "numbers", Key: "49"}, "numbers", "number=49")
	f(true, Filter{Family: "numbers", Key: "51"}, "numbers", "number=51 tenant=acme")
	f(true, Filter{Family: "numbers", Key: "acme,50"}, "numbers", "number=50 tenant=acme")
	f(false, Filter{Family: "numbers", Key: "acme,50"}, "numbers", "number=50 tenant=other")
	f(true, Filter{Family: "numbers"}, "numbers", "number=1")
	f(false, Filter{Family: "numbers"}, "ps_endpoints", "id=6001")
	f(true, Filter{Family: "sipusers"}, "sippeers", "name=6001")
	f(true, Filter{Family: "extensions", Key: "in,_X%2C1,1"}, "extensions", "context=in exten=_X,1 priority=1")
}

func TestAWriteIsSeenThatGivesARowTheKey(t *testing.T) {
	d := phones(t)
	f := func(want bool, of Filter, name, verb string, fields ...string) {
		t.Helper()
		s, err := of.compile(d.View())
		if err != nil {
			t.Fatal(err)
		}
		e := &Exchange{Wire: "curl", Verb: verb, Table: d.View().Table([]byte(name)), Outcome: Wrote, Count: 1}
		for _, text := range fields {
			column, value, _ := strings.Cut(text, "=")
			e.Fields = append(e.Fields, Field{[]byte(column), []byte(value)})
		}
		if got := s.about(e); got != want {
			t.Errorf("%+v sees %s of %s with %v: %v, want %v", of, verb, name, fields, got, want)
		}
	}
	f(true, Filter{Key: "6001"}, "ps_contacts", "store", "id=6001;@c4", "uri=sip:1")
	f(false, Filter{Key: "6001"}, "ps_contacts", "store", "id=6002;@c4", "uri=6001")
	f(true, Filter{Family: "ps_contacts", Key: "6001;@c4"}, "ps_contacts", "store", "uri=sip:1", "id=6001;@c4")
	f(false, Filter{Family: "ps_contacts", Key: "6001;@c4"}, "ps_contacts", "store", "uri=sip:1", "id=6001;@c5")
	f(true, Filter{Family: "voicemail", Key: "default,1001"}, "voicemail", "store", "mailbox=1001", "context=default")
	f(false, Filter{Family: "voicemail", Key: "default,1001"}, "voicemail", "store", "mailbox=1001", "context=other")
	f(false, Filter{Key: "id"}, "ps_aors", Require, "id=id")
}

func TestAFilterThatCannotBeMeantIsExplained(t *testing.T) {
	d := phones(t)
	f := func(of Filter, kind failure.Kind, words ...string) {
		t.Helper()
		_, err := of.compile(d.View())
		var e *failure.Error
		if !errors.As(err, &e) || e.Kind != kind {
			t.Fatalf("%+v: %v, want %s", of, err, kind)
		}
		for _, word := range words {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("%+v: %v, want %q in it", of, err, word)
			}
		}
	}
	f(Filter{}, failure.Invalid, "neither", "--key 6001")
	f(Filter{Family: "ps_endpoint", Key: "1"}, failure.Unknown, `"ps_endpoint"`, "did you mean ps_endpoints?")
	f(Filter{Family: "nothing at all"}, failure.Unknown, `"nothing at all"`)
	f(Filter{Family: "voicemail", Key: "1001"}, failure.Invalid, "context,mailbox")
	f(Filter{Key: strings.Repeat("a", MaxKey+1)}, failure.Invalid, "1024")
}
