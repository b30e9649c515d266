package realtime

import (
	"bytes"
	"time"

	"asterism/internal/directory"
)

// Recent is what one connection asked last. Each thread of Asterisk has a
// connection of its own and asks one thing after the other, which tells why it
// asks for all endpoints (res_pjsip/pjsip_options.c of Asterisk 16 and 22):
//
//	it synchronizes: all AORs; for each that it did not know its contacts;
//	                 all endpoints
//	an AOR is new:   the AOR, unless that is cached; its contacts;
//	                 all endpoints, of which it uses those that name the AOR
//
// Only in the second case the answer may be narrowed. A synchronization whose
// first questions came over another connection must not be taken for it, so a
// connection has to have asked something else before.
type Recent struct {
	aor     []byte // whose contacts the last question was about; empty: none
	at      time.Time
	settled bool // it is not, as far as one can tell, within a synchronization
}

// recency is how soon the question for all endpoints follows the one for the
// contacts: Asterisk does nothing in between. A person at a console is slower.
const recency = time.Second

// longestAOR is what a connection keeps at most; ids are no longer in Asterisk's schema.
const longestAOR = 255

// Recent gives what to remember a new connection's questions with, or nil when
// that would be of no use.
func (d *Door) Recent() *Recent {
	if t := d.Directory.View().Table([]byte("ps_endpoints")); t != nil && t.Narrows() {
		return &Recent{}
	}
	return nil
}

// about gives the AOR that the question for all endpoints is about, or nil.
func (r *Recent) about(x *exchange) []byte {
	if r == nil || len(r.aor) == 0 || !x.table.Narrows() {
		return nil
	}
	if x.table.ListsNone() || r.settled && x.door.Now().Sub(r.at) <= recency {
		return r.aor
	}
	return nil
}

// note remembers a question that was answered.
func (r *Recent) note(x *exchange) {
	r.aor = r.aor[:0]
	switch name := x.table.Family().Name; {
	case name == "ps_contacts" && x.verb == multi && x.likeID():
		if aor, ok := bytes.CutSuffix(x.conditions[0].Value, []byte(";@%")); ok && len(aor) <= longestAOR {
			r.aor, r.at = append(r.aor, aor...), x.door.Now()
			return
		}
	case name == "ps_aors" && x.verb == multi && x.likeID():
		r.settled = false
		return
	}
	r.settled = true
}

// likeID tells whether all that was asked is a LIKE on the id.
func (x *exchange) likeID() bool {
	return len(x.conditions) == 1 && string(x.conditions[0].Column) == "id" && x.conditions[0].Op == directory.Like
}
