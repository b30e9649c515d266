package soap

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// inEnvelope puts the element of an operation into an envelope as gSOAP writes it.
func inEnvelope(body string) string {
	return `<?xml version="1.0" encoding="UTF-8"?>` + "\n" +
		`<SOAP-ENV:Envelope xmlns:SOAP-ENV="http://schemas.xmlsoap.org/soap/envelope/"` +
		` xmlns:SOAP-ENC="http://schemas.xmlsoap.org/soap/encoding/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"` +
		` xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:ns1="urn:asterism:v1"><SOAP-ENV:Body>` + body +
		`</SOAP-ENV:Body></SOAP-ENV:Envelope>`
}

// ask wraps parameters into the element of an operation.
func ask(op Op, parameters string) string {
	return inEnvelope("<ns1:" + op.String() + ">" + parameters + "</ns1:" + op.String() + ">")
}

// everyOperation has an example of each.
func everyOperation() map[Op]string {
	const a, b = "<ns1:condition><ns1:column>", "</ns1:value></ns1:condition>"
	return map[Op]string{
		GetCodecs:      ask(GetCodecs, "<ns1:number>+14155550123</ns1:number>"),
		LookupNumber:   ask(LookupNumber, "<tenant>acme</tenant><number>1&lt;2</number>"),
		RealtimeSingle: ask(RealtimeSingle, "<family>ps_aors</family>"+a+"id</ns1:column><ns1:value>6001"+b),
		RealtimeMulti: ask(RealtimeMulti, "<family>ps_contacts</family>"+
			a+"id</ns1:column><ns1:operator>LIKE</ns1:operator><ns1:value>6001;@%"+b+
			a+"expiration_time</ns1:column><ns1:operator>&lt;=</ns1:operator><ns1:value>17"+b),
		RealtimeUpdate: ask(RealtimeUpdate, `<field><value xsi:nil="1"/><name>context</name></field><family>sippeers</family>`+
			a+"name</ns1:column><ns1:operator/><ns1:value>"+b+"<field><name>port</name><value>5060</value></field>"),
		RealtimeStore:   ask(RealtimeStore, "<family>queue_log</family><field><name>data</name><value/></field>"),
		RealtimeDestroy: ask(RealtimeDestroy, "<family>ps_contacts</family>"+a+`id</ns1:column><ns1:value xsi:nil="true">`+b),
		RealtimeRequire: ask(RealtimeRequire,
			"<family>cdr</family><column><name>uniqueid</name><type>char</type><size> 150 </size></column>"),
		RealtimeStatic: ask(RealtimeStatic, "<file>queues.conf</file>"),
		Watch:          ask(Watch, "<family>ps_aors</family><instance>n1</instance><revision> 7 </revision><family>iaxpeers</family>"),
	}
}

// describe writes a request in one line.
func describe(r *Request) string {
	var b strings.Builder
	b.WriteString(r.Op.String())
	for _, p := range []struct {
		name string
		text Text
	}{{"number", r.Number}, {"tenant", r.Tenant}, {"family", r.Family}, {"file", r.File}, {"instance", r.Instance}, {"revision", r.Revision}} {
		if p.text.Given {
			fmt.Fprintf(&b, " %s=%q", p.name, p.text.Value)
		}
	}
	if len(r.Families) > 1 {
		fmt.Fprintf(&b, " of %q", r.Families)
	}
	for _, c := range r.Conditions {
		fmt.Fprintf(&b, " if %s %s %q nil=%t", c.Column, c.Operator, c.Value, c.Nil)
	}
	for _, f := range r.Fields {
		fmt.Fprintf(&b, " set %s %q nil=%t", f.Name, f.Value, f.Nil)
	}
	for _, c := range r.Columns {
		fmt.Fprintf(&b, " need %s %s(%d)", c.Name, c.Type, c.Size)
	}
	return b.String()
}

func TestEveryOperationIsRead(t *testing.T) {
	r := new(Request)
	f := func(op Op, want string) {
		t.Helper()
		if err := r.Parse([]byte(everyOperation()[op])); err != nil {
			t.Errorf("%s: %v", op, err)
		} else if got := describe(r); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	f(GetCodecs, `GetCodecs number="+14155550123"`)
	f(LookupNumber, `LookupNumber number="1<2" tenant="acme"`)
	f(RealtimeSingle, `RealtimeSingle family="ps_aors" if id = "6001" nil=false`)
	f(RealtimeMulti, `RealtimeMulti family="ps_contacts" if id LIKE "6001;@%" nil=false if expiration_time <= "17" nil=false`)
	f(RealtimeUpdate, `RealtimeUpdate family="sippeers" if name = "" nil=false set context "" nil=true set port "5060" nil=false`)
	f(RealtimeStore, `RealtimeStore family="queue_log" set data "" nil=false`)
	f(RealtimeDestroy, `RealtimeDestroy family="ps_contacts" if id = "" nil=true`)
	f(RealtimeRequire, `RealtimeRequire family="cdr" need uniqueid char(150)`)
	f(RealtimeStatic, `RealtimeStatic file="queues.conf"`)
	f(Watch, `Watch family="iaxpeers" instance="n1" revision=" 7 " of ["ps_aors" "iaxpeers"]`)
	if len(everyOperation()) != int(afterLastOperation)-1 {
		t.Error("an operation has no example")
	}
}

// TestSpellingsOfOneCall reads the same call as different toolkits spell it.
func TestSpellingsOfOneCall(t *testing.T) {
	files, err := filepath.Glob("testdata/getcodecs/*.xml")
	if err != nil || len(files) < 4 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	r := new(Request)
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Parse(body); err != nil {
			t.Errorf("%s: %v", file, err)
		} else if got, want := describe(r), `GetCodecs number="+14155550123"`; got != want {
			t.Errorf("%s: got %s, want %s", file, got, want)
		}
	}
}

// faultOf parses a body that must be refused.
func faultOf(t *testing.T, body string) *Fault {
	t.Helper()
	var fault *Fault
	if err := new(Request).Parse([]byte(body)); !errors.As(err, &fault) {
		t.Fatalf("error %v, want a fault for\n%s", err, body)
	}
	return fault
}

func TestParameterFaultsSayWhatIsRight(t *testing.T) {
	f := func(op Op, parameters, want string) {
		t.Helper()
		fault := faultOf(t, ask(op, parameters))
		if fault.Code != Client || fault.Text != want {
			t.Errorf("%s %s:\ngot  %s: %s\nwant %s", op, parameters, fault.Code, fault.Text, want)
		}
	}
	f(GetCodecs, ``, "GetCodecs needs the element number; it takes number, tenant?")
	f(GetCodecs, `<number xsi:nil="true"/>`, "GetCodecs needs the element number; it takes number, tenant?")
	f(GetCodecs, `<number>1</number><numbr>1</numbr>`, "GetCodecs does not take the element numbr; it takes number, tenant?")
	f(GetCodecs, `<family>x</family>`, "GetCodecs does not take the element family; it takes number, tenant?")
	f(GetCodecs, `<number xmlns="urn:other">1</number>`,
		`GetCodecs does not take the element number in "urn:other"; it takes number, tenant?`)
	f(GetCodecs, `<number>1</number><number>2</number>`, "GetCodecs takes only one number")
	f(GetCodecs, `<number xsi:nil="1"/><number>2</number>`, "GetCodecs takes only one number")
	f(GetCodecs, `1`, "GetCodecs holds elements, but there is text between them")
	f(GetCodecs, `<number><b>1</b></number>`, "number must hold text only, but there is the element b")
	f(GetCodecs, `<number href="#_1"/>`, "number refers to another element with href; its text must stand in it")
	f(GetCodecs, `<number xsi:nil="yes"/>`, "xsi:nil of number must be true or false")
	f(GetCodecs, `<number xsi:nil="true">1</number>`, "number is xsi:nil and must be empty")

	f(RealtimeSingle, ``, "RealtimeSingle needs the element family; it takes family, condition*")
	f(RealtimeUpdate, `<family>f</family><field><name>n</name><value/></field>`,
		"RealtimeUpdate needs the element condition; it takes family, condition+, field+")
	f(RealtimeStore, `<family>f</family>`, "RealtimeStore needs the element field; it takes family, field+")
	f(RealtimeDestroy, `<family>f</family>`, "RealtimeDestroy needs the element condition; it takes family, condition+")
	f(RealtimeStatic, `<family>f</family>`, "RealtimeStatic does not take the element family; it takes file")

	f(RealtimeSingle, `<family>f</family><family>f</family>`, "RealtimeSingle takes only one family")
	f(Watch, `<number>1</number>`, "Watch does not take the element number; it takes instance?, revision?, family*")
	f(Watch, `<revision>1</revision><revision>1</revision>`, "Watch takes only one revision")

	f(RealtimeMulti, `<family>f</family><condition><column>c</column></condition>`,
		"condition needs the element value; it takes column, operator?, value")
	f(RealtimeMulti, `<condition><name>c</name></condition>`,
		"condition does not take the element name; it takes column, operator?, value")
	f(RealtimeMulti, `<condition><column>c</column><column>c</column></condition>`, "condition takes only one column")
	f(RealtimeMulti, `<condition><column xsi:nil="1"/><value/></condition>`, "the column of a condition must not be nil")
	f(RealtimeMulti, `<condition><column>c</column><operator>like</operator><value/></condition>`,
		`there is no operator "like"; there are =, !=, <, <=, >, >=, LIKE, NOT LIKE`)
	f(RealtimeStore, `<field><value/></field>`, "field needs the element name; it takes name, value")
	f(RealtimeStore, `<field><name xsi:nil="1"/><value/></field>`, "the name of a field must not be nil")
	f(RealtimeStore, `<field>n=v</field>`, "field holds elements, but there is text between them")
	f(RealtimeRequire, `<column><name>n</name><type>char</type></column>`,
		"column needs the element size; it takes name, type, size")
	f(RealtimeRequire, `<column><name>n</name><type>char</type><size>x</size></column>`,
		`the size of column "n" must be a whole number, but it is "x"`)
	f(RealtimeRequire, `<column><name>n</name><type>char</type><size>2147483648</size></column>`,
		`the size of column "n" must be a whole number, but it is "2147483648"`)
	f(RealtimeRequire, `<column><name>n</name><type xsi:nil="1"/><size>1</size></column>`,
		"name, type and size of a column must not be nil")
}

func TestRequestIsReusable(t *testing.T) {
	r := new(Request)
	for range 2 {
		for op, body := range everyOperation() {
			if err := r.Parse([]byte(body)); err != nil {
				t.Fatal(err)
			}
			fresh := new(Request)
			if err := fresh.Parse([]byte(body)); err != nil {
				t.Fatal(err)
			}
			if got, want := describe(r), describe(fresh); got != want {
				t.Errorf("%s: got %s, want %s", op, got, want)
			}
			if err := r.Parse([]byte("<")); err == nil {
				t.Error("< was accepted")
			}
		}
	}
	if r.Reset(); describe(r) != "none" {
		t.Errorf("after Reset: %s", describe(r))
	}
}
