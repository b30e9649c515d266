package soap

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"asterism/internal/absent"
	"asterism/internal/directory"
	"asterism/internal/failure"
	"asterism/internal/meter"
	numbers "asterism/internal/number"
	"asterism/internal/trace"
)

// Writes is what the door needs of package control.
type Writes interface {
	Update(ctx context.Context, family string, conditions []directory.Condition, values []directory.Value) (int, error)
	Store(ctx context.Context, family string, values []directory.Value) (int, error)
	Destroy(ctx context.Context, family string, conditions []directory.Condition) (int, error)
	Require(family string, columns []string) bool
}

// Door answers SOAP. It is a pure function from a call to an answer.
type Door struct {
	Directory *directory.Directory
	Writes    Writes
	Lookups   *meter.Lookups
	Log       *slog.Logger
	Now       func() time.Time
	PublicURL string // soap:address of the WSDL; empty: what the client asked
	Trace     *trace.Tracers
	Absent    *absent.Keys

	exchanges sync.Pool
}

// Call is one HTTP request; the slices are read only while Answer runs.
type Call struct {
	Get    bool
	Query  []byte
	Host   []byte
	Secure bool   // the client came over TLS
	Type   []byte // Content-Type
	Action []byte // SOAPAction
	Body   []byte
	Client netip.AddrPort
	HungUp func() bool // as in package realtime: a write is not applied then
	Wait   func() bool // called before an answer that waits for something; false: too many wait. May be nil
	Quick  bool        // answer only what takes microseconds
}

// Answer is what to send back.
type Answer struct {
	Slow        bool // a quick answer was wanted and there is none; nothing was done
	Crowded     bool // too many calls wait already; there is no answer
	Status      int
	ContentType string
	Body        []byte
}

// exchange is the reusable state of one call.
type exchange struct {
	door       *Door
	call       Call
	kind       mediaType
	types      lastType
	request    Request
	view       *directory.View
	place      int
	conditions []directory.Condition
	seen       seen
}

// Answer answers a call; the body is appended to dst.
func (d *Door) Answer(ctx context.Context, dst []byte, call Call) Answer {
	if call.Get {
		return d.describe(dst, call)
	}
	start := d.Now()
	x, ok := d.exchanges.Get().(*exchange)
	if !ok {
		x = &exchange{}
	}
	kind := x.types.parse(call.Type)
	if kind.isPackage() {
		var refusal string
		if call.Body, kind, refusal = unpack(call.Body, kind); refusal != "" {
			d.Lookups.Count(-1, meter.Failed)
			return plain(dst, http.StatusUnsupportedMediaType, refusal)
		}
	}
	x.door, x.call, x.kind, x.view, x.place = d, call, kind, d.Directory.View(), -1
	if d.Trace.Wanted() {
		x.seen.since = start
	}
	answer := x.answer(ctx, dst)
	counted := !answer.Slow && !answer.Crowded && x.request.Op != Watch // which says nothing of how fast we are
	if x.traced() && counted {
		x.tell()
	}
	x.request.Reset()
	clear(x.conditions)
	*x = exchange{request: x.request, types: x.types, conditions: x.conditions[:0]}
	d.exchanges.Put(x)
	if counted {
		d.Lookups.Seconds.Observe(d.Now().Sub(start))
	}
	return answer
}

// plain is an answer outside of SOAP: a line for the person who made the call.
func plain(dst []byte, status int, line string) Answer {
	return Answer{Status: status, ContentType: "text/plain; charset=utf-8", Body: append(append(dst, line...), '\n')}
}

// describe answers a GET: the WSDL at ?wsdl.
func (d *Door) describe(dst []byte, call Call) Answer {
	if !bytes.EqualFold(call.Query, []byte("wsdl")) {
		return plain(dst, http.StatusMethodNotAllowed, "POST a SOAP envelope, or GET ?wsdl")
	}
	return Answer{Status: http.StatusOK, ContentType: WSDLContentType, Body: AppendWSDL(dst, d.address(call))}
}

// address is where the description sends clients.
func (d *Door) address(call Call) string {
	switch {
	case d.PublicURL != "":
		return d.PublicURL
	case len(call.Host) == 0: // HTTP/1.0
		return addressInDescription
	case call.Secure:
		return "https://" + string(call.Host) + "/soap"
	}
	return "http://" + string(call.Host) + "/soap"
}

func (x *exchange) answer(ctx context.Context, dst []byte) Answer {
	r := &x.request
	if err := r.parse(x.call.Body, x.kind); err != nil {
		return x.fault(dst, asFault(err))
	}
	if fault := CheckAction(x.call.Action, r.Op); fault != nil {
		return x.fault(dst, fault)
	}
	if fault := checkTypesAction(x.kind.action, r.Op); fault != nil {
		return x.fault(dst, fault)
	}
	length := len(dst)
	out, err := x.perform(ctx, dst)
	switch {
	case errors.Is(err, errSlow):
		return Answer{Slow: true, Body: dst[:length]}
	case errors.Is(err, errCrowded):
		return Answer{Crowded: true, Body: dst[:length]}
	case err != nil:
		return x.fault(dst[:length], asFault(err))
	}
	return Answer{Status: http.StatusOK, ContentType: r.Version.ContentType(), Body: AppendClose(out, r.Op)}
}

func (x *exchange) fault(dst []byte, fault *Fault) Answer {
	x.door.Lookups.Count(x.place, meter.Failed)
	x.seen.outcome, x.seen.why = trace.Failed, fault.Text
	version := x.request.Version
	return Answer{Status: fault.Status(version), ContentType: version.ContentType(), Body: AppendFault(dst, version, fault)}
}

// asFault maps kinds of failure to faults; what is not the client's to know
// stays in our log.
func asFault(err error) *Fault {
	if fault, ok := err.(*Fault); ok {
		return fault
	}
	switch failure.KindOf(err) {
	case failure.Invalid, failure.Unknown, failure.Refused:
		return clientFault(err.Error())
	case failure.Unavailable, failure.Full:
		return serverFault("the database can't be written now; try again")
	}
	return internalFault()
}

func internalFault() *Fault { return serverFault("internal error; the server's log has the cause") }

// AppendRefusal appends the answer to a call that is refused before its envelope is
// read, and gives its Content-Type; that of the call says in which version.
func AppendRefusal(dst, contentType []byte, fault *Fault) (kind string, body []byte) {
	version := parseMediaType(contentType).version()
	return version.ContentType(), AppendFault(dst, version, fault)
}

// RefusalFault is the fault for a call that is refused with an HTTP status.
func RefusalFault(status int, reason string) *Fault {
	switch {
	case status == http.StatusInternalServerError:
		return internalFault()
	case status > http.StatusInternalServerError:
		return serverFault("refused: " + reason)
	}
	return clientFault("refused: " + reason)
}

// open begins the answer with this node's instance and the revision answered from.
func (x *exchange) open(dst []byte) []byte {
	return AppendOpen(dst, x.request.Version, x.request.Op, x.door.Directory.Instance(), x.view.Revision())
}

// errSlow says that a call has no quick answer; no client sees it.
var errSlow = errors.New("not quick")

func (x *exchange) perform(ctx context.Context, dst []byte) ([]byte, error) {
	switch x.request.Op {
	case GetCodecs, LookupNumber:
		return x.lookUp(dst)
	case RealtimeSingle, RealtimeMulti:
		return x.read(dst)
	}
	if x.call.Quick {
		return nil, errSlow
	}
	switch x.request.Op {
	case RealtimeStatic:
		return x.static(dst)
	case RealtimeRequire:
		return x.require(dst)
	case Watch:
		return x.watch(ctx, dst)
	}
	return x.write(ctx, dst)
}

// lookUp answers GetCodecs and LookupNumber.
func (x *exchange) lookUp(dst []byte) ([]byte, error) {
	r := &x.request
	if x.place = x.view.Place([]byte(numbers.Family)); x.place < 0 {
		return nil, serverFault("the store has no table " + numbers.Family)
	}
	table := x.view.Tables()[x.place]
	entry, found := numbers.Lookup(table, r.Tenant.Value, r.Number.Value)
	dst = x.open(dst)
	outcome := meter.Miss
	switch {
	case !found:
		x.missedNumber()
	case r.Op == GetCodecs && !entry.Enabled():
		x.seen.why = trace.NotEnabled
	case r.Op == GetCodecs:
		outcome = meter.Hit
		dst = AppendCodecs(dst, entry.Codecs())
	default:
		outcome = meter.Hit
		dst = AppendEntry(dst, Entry[string]{
			Number: entry.Text("number"), Tenant: entry.Text("tenant"), Codecs: entry.Codecs(),
			Destination: entry.Text("destination"), Note: entry.Text("note"), Enabled: entry.Enabled(),
		})
	}
	x.door.Lookups.Count(x.place, outcome)
	x.answered(outcome, entry.Row())
	return dst, nil
}

// table finds the family that the call names.
func (x *exchange) table() (*directory.Table, error) {
	name := x.request.Family.Value
	x.place = x.view.Place(name)
	if table := x.view.Table(name); table != nil {
		return table, nil
	}
	return nil, clientFault(fmt.Sprintf("no family %q", name))
}
