package server

import (
	"strings"
	"testing"
)

// realtimeCall is a call of a realtime operation: conditions as "column value" or
// "column operator value" (operators with their signs escaped), fields as
// "name=value".
func realtimeCall(operation, family, conditions, fields string) string {
	var b strings.Builder
	b.WriteString(soapOpen + "<" + operation + ` xmlns="urn:asterism:v1"><family>` + family + "</family>")
	for condition := range strings.SplitSeq(conditions, ", ") {
		words := strings.SplitN(condition, " ", 3)
		switch len(words) {
		case 2:
			b.WriteString("<condition><column>" + words[0] + "</column><value>" + words[1] + "</value></condition>")
		case 3:
			b.WriteString("<condition><column>" + words[0] + "</column><operator>" + words[1] + "</operator><value>" + words[2] + "</value></condition>")
		}
	}
	for field := range strings.SplitSeq(fields, ", ") {
		if name, value, found := strings.Cut(field, "="); found {
			b.WriteString("<field><name>" + name + "</name><value>" + value + "</value></field>")
		}
	}
	b.WriteString("</" + operation + ">" + soapClose)
	return b.String()
}

// TestRealtimeOverSOAP: the same rules as on the curl wire, since they live
// behind both.
func TestRealtimeOverSOAP(t *testing.T) {
	t.Parallel()
	s, o := seeded(t, mailboxes,
		`INSERT INTO ps_contacts (id, expiration_time) VALUES ('a^3B@1', 4102444800), ('b', 1760000000), ('c', NULL)`,
		`INSERT INTO queue_members (queue_name, interface) VALUES ('support', 'PJSIP/9'), ('support', 'PJSIP/10')`)
	f := func(operation, family, conditions, fields, want string) {
		t.Helper()
		got := said(t, s.raw(t, call(plainHeader, realtimeCall(operation, family, conditions, fields))))
		got = strings.NewReplacer("<field><name>", "", "</name><value>", "=", "</value></field>", " ", "<row>", "[", "</row>", "]").Replace(got)
		if want = operation + "Response " + want; got != want {
			t.Errorf("%s of %s where %s with %s answers\n%s, want\n%s", operation, family, conditions, fields, got, want)
		}
	}
	fault := func(operation, family, conditions, fields string, words ...string) {
		t.Helper()
		got := said(t, s.raw(t, call(plainHeader, realtimeCall(operation, family, conditions, fields))))
		for _, word := range words {
			if !strings.Contains(got, word) {
				t.Errorf("%s of %s where %s answers %s, want %q in it", operation, family, conditions, got, word)
			}
		}
	}
	f("RealtimeSingle", "voicemail", "mailbox 1001, context sales", "", "[uniqueid=9 context=sales mailbox=1001 password=3333 ]")
	f("RealtimeSingle", "voicemail", "mailbox 8888", "", "")
	f("RealtimeMulti", "voicemail", "mailbox 8888", "", "")
	f("RealtimeMulti", "queue_members", "interface LIKE %, queue_name support", "",
		"[queue_name=support interface=PJSIP/10 uniqueid=2 ][queue_name=support interface=PJSIP/9 uniqueid=1 ]")
	f("RealtimeMulti", "ps_contacts", "expiration_time &lt;= 1760000000", "", "[id=b expiration_time=1760000000 ]")
	f("RealtimeSingle", "ps_contacts", "id a;@1", "", "[id=a;@1 expiration_time=4102444800 ]")
	// RealtimeUpdate serves update2 too.
	f("RealtimeUpdate", "voicemail", "context default, mailbox 1001", "password=4321", "<count>1</count>")
	f("RealtimeUpdate", "voicemail", "context default, mailbox 1001", "password=4321", "<count>1</count>")
	f("RealtimeUpdate", "voicemail", "context default, mailbox 1009", "password=4321", "<count>0</count>")
	f("RealtimeStore", "ps_aors", "", "id=6001, max_contacts=1, set_var=a;b", "<count>1</count>")
	f("RealtimeStore", "ps_aors", "", "id=6001, max_contacts=2", "<count>1</count>")
	f("RealtimeSingle", "ps_aors", "id 6001", "", "[id=6001 max_contacts=2 set_var=a;b ]")
	f("RealtimeDestroy", "ps_aors", "id 6001", "", "<count>1</count>")
	f("RealtimeDestroy", "ps_aors", "id 6001", "", "<count>0</count>")
	fault("RealtimeSingle", "nosuch", "id 1", "", "Client: ", `"nosuch"`)
	fault("RealtimeSingle", "ps_aors", "nosuch 1", "", "Client: ", `"nosuch"`, "ps_aors")
	fault("RealtimeUpdate", "ps_aors", "nosuch 1", "max_contacts=1", "Client: ", `"nosuch"`)
	fault("RealtimeDestroy", "ps_aors", "", "", "Client: ", "condition")
	fault("RealtimeMulti", "ps_aors", "id RLIKE x", "", "Client: ", "RLIKE", "NOT LIKE")
	soon(t, "the new PIN is in SQL", func() bool {
		return o.text("SELECT group_concat(password) FROM voicemail") == "4321,2222,3333"
	})
}

func TestTheRevisionOfAnAnswerShowsItsWrite(t *testing.T) {
	t.Parallel()
	s := start(t, testConfig(t))
	revision := func(body string) string {
		t.Helper()
		got := s.raw(t, call(plainHeader, body)).body
		_, after, _ := strings.Cut(got, "<revision>")
		number, _, _ := strings.Cut(after, "</revision>")
		return number
	}
	before := revision(getCodecs)
	written := revision(realtimeCall("RealtimeStore", "ps_aors", "", "id=6001"))
	after := revision(getCodecs)
	if before == written || written != after {
		t.Errorf("revision %s before, %s of the write, %s after", before, written, after)
	}
}

func TestFilesAndRequiredColumnsOverSOAP(t *testing.T) {
	t.Parallel()
	s, _ := seeded(t, `INSERT INTO ast_config (filename, cat_metric, var_metric, category, var_name, var_val, commented) VALUES
		('queues.conf', 1, 1, 'support', 'strategy', 'a;b<c', 0), ('queues.conf', 2, 1, 'general', 'x', NULL, 0), ('queues.conf', 2, 1, 'general', 'y', '1', 1)`)
	f := func(inner, want string) {
		t.Helper()
		if got := said(t, s.raw(t, call(plainHeader, soapOpen+inner+soapClose))); got != want {
			t.Errorf("%s\nanswers %s, want %s", inner, got, want)
		}
	}
	line := func(category, name, value, metric string) string {
		return "<line><category>" + category + "</category><var_name>" + name + "</var_name><var_val>" + value + "</var_val><cat_metric>" + metric + "</cat_metric></line>"
	}
	f(`<RealtimeStatic xmlns="urn:asterism:v1"><file>queues.conf</file></RealtimeStatic>`,
		"RealtimeStaticResponse "+line("general", "x", "", "2")+line("support", "strategy", "a;b&lt;c", "1"))
	f(`<RealtimeStatic xmlns="urn:asterism:v1"><file>nosuch.conf</file></RealtimeStatic>`, "RealtimeStaticResponse ")
	column := func(name string) string {
		return "<column><name>" + name + "</name><type>char</type><size>10</size></column>"
	}
	f(`<RealtimeRequire xmlns="urn:asterism:v1"><family>voicemail</family>`+column("password")+column("some_future_flag")+"</RealtimeRequire>", "RealtimeRequireResponse <ok>true</ok>")
}

func TestNumbersOverSOAP(t *testing.T) {
	t.Parallel()
	s, _ := seeded(t, `INSERT INTO numbers (tenant, number, codecs, destination, enabled, note) VALUES
		('', '1', 'g722,ulaw', 'endpoint:6001', NULL, 'a & b'), ('acme', '1', 'opus', NULL, 'yes', NULL), ('', '2', 'ulaw', NULL, 'no', NULL)`)
	f := func(operation, number, tenant, want string) {
		t.Helper()
		body := soapOpen + "<" + operation + ` xmlns="urn:asterism:v1"><number>` + number + "</number>" + tenant + "</" + operation + ">" + soapClose
		if got := said(t, s.raw(t, call(plainHeader, body))); got != operation+"Response "+want {
			t.Errorf("%s of %s %s answers %s, want %s", operation, number, tenant, got, want)
		}
	}
	f("GetCodecs", "1", "", "<codec>g722</codec><codec>ulaw</codec>")
	f("GetCodecs", "1", "<tenant>acme</tenant>", "<codec>opus</codec>")
	f("GetCodecs", "1", "<tenant>other</tenant>", "<codec>g722</codec><codec>ulaw</codec>")
	f("GetCodecs", "1", "<tenant/>", "<codec>g722</codec><codec>ulaw</codec>")
	f("GetCodecs", "2", "", "")
	f("GetCodecs", "3", "", "")
	f("LookupNumber", "1", "", "<entry><number>1</number><tenant></tenant><codec>g722</codec><codec>ulaw</codec>"+
		"<destination>endpoint:6001</destination><enabled>true</enabled><note>a &amp; b</note></entry>")
	f("LookupNumber", "2", "", "<entry><number>2</number><tenant></tenant><codec>ulaw</codec><enabled>false</enabled></entry>")
	f("LookupNumber", "3", "", "")
}
