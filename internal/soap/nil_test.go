package soap

import (
	"errors"
	"strings"
	"testing"
)

// TestAbsentNilAndEmptyDiffer: absent is not given, nil clears, empty is the empty string; in both versions alike.
func TestAbsentNilAndEmptyDiffer(t *testing.T) {
	r := new(Request)
	f := func(op Op, parameters, want string) {
		t.Helper()
		in11 := ask(op, parameters)
		for version, body := range []string{in11, strings.Replace(in11, envelope11, envelope12, 1)} {
			var fault *Fault
			err := r.Parse([]byte(body))
			got := describe(r)
			if errors.As(err, &fault) {
				got = fault.Text
			}
			if got != want || r.Version != Version(version) {
				t.Errorf("%s %s in version %d:\ngot  %s\nwant %s", op, parameters, version, got, want)
			}
		}
	}
	for _, op := range []Op{GetCodecs, LookupNumber} {
		name := op.String()
		f(op, `<number>1</number>`, name+` number="1"`)
		f(op, `<number>1</number><tenant/>`, name+` number="1" tenant=""`)
		f(op, `<number>1</number><tenant></tenant>`, name+` number="1" tenant=""`)
		f(op, `<number>1</number><tenant xsi:nil="true"/>`, name+` number="1"`)
		f(op, `<number>1</number><tenant xsi:nil=" 1 "> </tenant>`, name+` number="1"`)
		f(op, `<number>1</number><tenant xsi:nil="false">a</tenant>`, name+` number="1" tenant="a"`)
		f(op, `<number>1</number><tenant nil="true">a</tenant>`, name+` number="1" tenant="a"`)
		f(op, `<number>1</number><tenant xsi:type="xsd:string">a</tenant>`, name+` number="1" tenant="a"`)
		f(op, `<number/>`, name+` number=""`)
		f(op, `<number> 1 </number>`, name+` number=" 1 "`)
		f(op, `<number xsi:nil="true"/>`, name+" needs the element number; it takes number, tenant?")
		f(op, `<tenant/>`, name+" needs the element number; it takes number, tenant?")
	}
	condition := func(operator string) string {
		return "<family>f</family><condition><column>c</column>" + operator + "<value>v</value></condition>"
	}
	for _, op := range []Op{RealtimeSingle, RealtimeMulti, RealtimeDestroy} {
		begin := op.String() + ` family="f"`
		f(op, condition(``), begin+` if c = "v" nil=false`)
		f(op, condition(`<operator/>`), begin+` if c = "v" nil=false`)
		f(op, condition(`<operator xsi:nil="true"/>`), begin+` if c = "v" nil=false`)
		f(op, `<family>f</family><condition><column>c</column><value/></condition>`, begin+` if c = "" nil=false`)
		f(op, `<family>f</family><condition><column>c</column><value xsi:nil="1"/></condition>`, begin+` if c = "" nil=true`)
		// Nil in the place of a whole condition could mean anything, and a guess might delete every row.
		f(op, `<family>f</family><condition xsi:nil="true"/>`, "condition must not be nil; leave it out instead")
		f(op, `<family>f</family><condition/>`, "condition needs the element column; it takes column, operator?, value")
		f(op, `<family xsi:nil="true"/><condition><column>c</column><value/></condition>`,
			op.String()+" needs the element family; it takes "+op.signature().String())
	}
	f(RealtimeSingle, "<family>f</family>", `RealtimeSingle family="f"`)
	f(RealtimeMulti, "<family>f</family>", `RealtimeMulti family="f"`)
	f(RealtimeStore, "<family>f</family><field><name>n</name><value/></field>", `RealtimeStore family="f" set n "" nil=false`)
	f(RealtimeStore, `<family>f</family><field><name>n</name><value xsi:nil="true"/></field>`, `RealtimeStore family="f" set n "" nil=true`)
	f(RealtimeStore, "<family>f</family><field><name>n</name></field>", "field needs the element value; it takes name, value")
	f(RealtimeStore, `<family>f</family><field xsi:nil="true"/>`, "field must not be nil; leave it out instead")
	f(RealtimeRequire, "<family>f</family>", `RealtimeRequire family="f"`)
	f(RealtimeRequire, `<family>f</family><column xsi:nil="1"/>`, "column must not be nil; leave it out instead")
	f(RealtimeRequire, `<family>f</family><column/>`, "column needs the element name; it takes name, type, size")
	f(RealtimeStatic, `<file/>`, `RealtimeStatic file=""`)
	f(RealtimeStatic, `<file xsi:nil="true"/>`, "RealtimeStatic needs the element file; it takes file")
}
