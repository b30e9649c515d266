package test

import (
	"fmt"
	"strings"
)

// step is one call that every client makes, and what it then prints behind
// instance and revision. clients/README.md tells the form of both.
type step struct {
	what   string // what it shows; deviations go by it
	call   string
	want   string
	writes bool // the revision must be higher than before
	times  int  // 0 is once
}

// odd is a text in which every kind of character stands that one of HTTP, XML, SQL
// or Asterisk's own encoding takes for something else.
const odd = ` Grüße, Привет, 東京 😀 <b>&amp; & ]]> "x" 'y' %41 a;b ^3B ^\n--\r\n `

// line joins the words of a step or of an answer.
func line(words ...string) string { return strings.Join(words, "\t") }

func where(column, value string) string { return "condition:column=" + column + "|value=" + value }

func whereOp(column, operator, value string) string {
	return "condition:column=" + column + "|operator=" + operator + "|value=" + value
}

func set(name, value string) string { return "field:name=" + name + "|value=" + value }

// member is a queue member as the clients print it.
func member(i int) string {
	return fmt.Sprintf("row:queue_name=big|interface=PJSIP/%03d|penalty=%d|uniqueid=%d", i, i%10, i)
}

// members is what the node holds before a client comes, as a file for load.
func members() string {
	var text strings.Builder
	text.WriteString("queue_name,interface,penalty,uniqueid\n")
	for i := 1; i <= 200; i++ {
		fmt.Fprintf(&text, "big,PJSIP/%03d,%d,%d\n", i, i%10, i)
	}
	return text.String()
}

// allMembers is what 200 rows look like in an answer.
func allMembers() string {
	rows := make([]string, 200)
	for i := range rows {
		rows[i] = member(i + 1)
	}
	return line(rows...)
}

// numbersForClients is what the node holds in numbers.
const numbersForClients = `tenant,number,codecs,destination,enabled,note
,+49301,"alaw,ulaw",endpoint:6001,,"Grüße, Привет 😀 & <b>"
acme,+49301,opus,,yes,
,+49302,g722,,no,
`

// soapSteps are the steps of every client, in this order.
func soapSteps() []step {
	steps := numberSteps()
	steps = append(steps, readSteps()...)
	steps = append(steps, writeSteps()...)
	steps = append(steps, faultSteps()...)
	return append(steps, step{what: "a thousand calls", call: line("GetCodecs", "number=+49301"), want: "codec=alaw\tcodec=ulaw", times: 1000})
}

func numberSteps() []step {
	const shared = "entry:number=+49301|tenant=|codec=alaw|codec=ulaw|destination=endpoint:6001|enabled=true|note=Grüße, Привет 😀 & <b>"
	return []step{
		{what: "codecs in their order", call: line("GetCodecs", "number=+49301"), want: "codec=alaw\tcodec=ulaw"},
		{what: "codecs of a tenant", call: line("GetCodecs", "number=+49301", "tenant=acme"), want: "codec=opus"},
		{what: "an empty tenant", call: line("GetCodecs", "number=+49301", "tenant="), want: "codec=alaw\tcodec=ulaw"},
		{what: "a nil tenant", call: line("GetCodecs", "number=+49301", "tenant"), want: "codec=alaw\tcodec=ulaw"},
		{what: "a tenant without the number", call: line("GetCodecs", "number=+49301", "tenant=other"), want: "codec=alaw\tcodec=ulaw"},
		{what: "an unknown number has no codecs", call: line("GetCodecs", "number=Привет")},
		{what: "a disabled number has no codecs", call: line("GetCodecs", "number=+49302")},
		{what: "an entry with all elements", call: line("LookupNumber", "number=+49301"), want: shared},
		{what: "an entry of a nil tenant", call: line("LookupNumber", "number=+49301", "tenant"), want: shared},
		{what: "an entry without optional ones", call: line("LookupNumber", "number=+49301", "tenant=acme"), want: "entry:number=+49301|tenant=acme|codec=opus|enabled=true"},
		{what: "an entry that is disabled", call: line("LookupNumber", "number=+49302"), want: "entry:number=+49302|tenant=|codec=g722|enabled=false"},
		{what: "no entry", call: line("LookupNumber", "number=0")},
	}
}

func readSteps() []step {
	return []step{
		{what: "one row", call: line("RealtimeSingle", "family=queue_members", where("interface", "PJSIP/007")), want: member(7)},
		{what: "no row", call: line("RealtimeSingle", "family=queue_members", where("interface", "PJSIP/999"))},
		{what: "no rows", call: line("RealtimeMulti", "family=queue_members", where("interface", "PJSIP/999"))},
		{what: "200 rows", call: line("RealtimeMulti", "family=queue_members", whereOp("interface", "LIKE", "%"), where("queue_name", "big")), want: allMembers()},
		{what: "LIKE", call: line("RealtimeMulti", "family=queue_members", whereOp("interface", "LIKE", "PJSIP/00_"), whereOp("interface", "NOT LIKE", "%/00[12]"), whereOp("penalty", "<", "3")), want: line(member(1), member(2))},
		{what: "<=", call: line("RealtimeMulti", "family=queue_members", whereOp("uniqueid", "<=", "2")), want: line(member(1), member(2))},
		{what: ">= and !=", call: line("RealtimeMulti", "family=queue_members", whereOp("uniqueid", ">=", "198"), whereOp("uniqueid", "!=", "199")), want: line(member(198), member(200))},
		{what: "an empty operator", call: line("RealtimeSingle", "family=queue_members", whereOp("uniqueid", "", "3")), want: member(3)},
		{what: "a nil operator", call: line("RealtimeSingle", "family=queue_members", "condition:column=uniqueid|operator|value=3"), want: member(3)},
		{what: "columns that are there", call: line("RealtimeRequire", "family=queue_members", "column:name=interface|type=char|size=80", "column:name=penalty|type=uinteger4|size=5"), want: "ok=true"},
		{what: "no columns asked", call: line("RealtimeRequire", "family=queue_members"), want: "ok=true"},
		{what: "lines of a file", call: line("RealtimeStatic", "file=queues.conf"), want: line("line:category=general|var_name=x|var_val=|cat_metric=1", "line:category=support|var_name=strategy|var_val=a;b<c>😀|cat_metric=0")},
		{what: "a file without lines", call: line("RealtimeStatic", "file=nosuch.conf")},
	}
}

func writeSteps() []step {
	row := func(fields string) string { return "row:name=own" + fields }
	own := where("name", "own")
	read := line("RealtimeSingle", "family=queues", own)
	return []step{
		{what: "a new row", call: line("RealtimeStore", "family=queues", set("name", "own"), set("musiconhold", odd), set("announce", "x"), set("timeout", "15")), want: "count=1", writes: true},
		{what: "it is there at once, with every character", call: read, want: row("|musiconhold=" + odd + "|announce=x|timeout=15")},
		{what: "found by every character", call: line("RealtimeSingle", "family=queues", own, where("musiconhold", odd)), want: row("|musiconhold=" + odd + "|announce=x|timeout=15")},
		{what: "nil clears", call: line("RealtimeUpdate", "family=queues", own, "field:name=timeout|value", "field:name=announce|value"), want: "count=1", writes: true},
		{what: "what nil cleared is gone", call: read, want: row("|musiconhold=" + odd)},
		{what: "empty is empty", call: line("RealtimeUpdate", "family=queues", own, set("musiconhold", ""), set("announce", " ")), want: "count=1", writes: true},
		{what: "what is empty is left out, a blank is not", call: read, want: row("|announce= ")},
		{what: "found by the empty text", call: line("RealtimeSingle", "family=queues", own, where("musiconhold", "")), want: row("|announce= ")},
		{what: "found by nil", call: line("RealtimeSingle", "family=queues", own, "condition:column=timeout|value"), want: row("|announce= ")},
		{what: "an update of many", call: line("RealtimeUpdate", "family=queue_members", whereOp("uniqueid", "<=", "5"), set("membername", "Müller")), want: "count=5", writes: true},
		{what: "one of the many", call: line("RealtimeSingle", "family=queue_members", where("membername", "Müller"), whereOp("uniqueid", ">", "4")), want: "row:queue_name=big|interface=PJSIP/005|membername=Müller|penalty=5|uniqueid=5"},
		{what: "an update of none", call: line("RealtimeUpdate", "family=queues", where("name", "nobody"), set("announce", "x")), want: "count=0"},
		{what: "several values of one column", call: line("RealtimeStore", "family=ps_aors", set("id", "own"), set("contact", "sip:a@192.0.2.1;x=1"), set("contact", "sip:b@192.0.2.1")), want: "count=1", writes: true},
		{what: "come as several fields", call: line("RealtimeSingle", "family=ps_aors", where("id", "own")), want: "row:id=own|contact=sip:a@192.0.2.1;x=1|contact=sip:b@192.0.2.1"},
		{what: "a row goes", call: line("RealtimeDestroy", "family=queues", own), want: "count=1", writes: true},
		{what: "a row that went", call: read},
		{what: "it can't go twice", call: line("RealtimeDestroy", "family=queues", own), want: "count=0"},
		{what: "a row that stays for the test to look at", call: line("RealtimeStore", "family=queues", set("name", "stays"), set("musiconhold", odd)), want: "count=1", writes: true},
	}
}

// noCondition is what the node says of a call that would destroy a whole table.
const noCondition = "RealtimeDestroy needs the element condition; it takes family, condition+"

// faultSteps want a fault of the client; the version of SOAP says what it is called.
func faultSteps() []step {
	return []step{
		{what: "an unknown family", call: line("RealtimeSingle", "family=nosuch", where("id", "1")), want: `fault no family "nosuch"`},
		{what: "an unknown column", call: line("RealtimeSingle", "family=queues", where("größe", "1")), want: `fault queues has no column "größe"`},
		{what: "an unknown column in an update", call: line("RealtimeUpdate", "family=queues", where("size", "1"), set("announce", "x")), want: `fault queues has no column "size"`},
		{what: "no condition", call: line("RealtimeDestroy", "family=queues"), want: "fault " + noCondition},
		{what: "a bad operator", call: line("RealtimeMulti", "family=queues", whereOp("name", "RLIKE", "x")), want: `fault there is no operator "RLIKE"; there are =, !=, <, <=, >, >=, LIKE, NOT LIKE`},
	}
}
