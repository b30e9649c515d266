package soap

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"asterism/internal/directory"
	"asterism/internal/failure"
	"asterism/internal/meter"
	numbers "asterism/internal/number"
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

	exchanges sync.Pool
}

// Call is one HTTP request; the slices are read only while Answer runs.
type Call struct {
	Get    bool
	Query  []byte
	Host   []byte
	Type   []byte // Content-Type
	Action []byte // SOAPAction
	Body   []byte
	HungUp func() bool // as in package realtime: a write is not applied then
}

// Answer is what to send back.
type Answer struct {
	Status      int
	ContentType string
	Body        []byte
}

// exchange is the reusable state of one call.
type exchange struct {
	door       *Door
	call       Call
	request    Request
	view       *directory.View
	place      int
	conditions []directory.Condition
}

// Answer answers a call; the body is appended to dst.
func (d *Door) Answer(ctx context.Context, dst []byte, call Call) Answer {
	if call.Get {
		return d.describe(dst, call)
	}
	if isMIME(call.Type) {
		return Answer{http.StatusUnsupportedMediaType, "text/plain; charset=utf-8", append(dst, "send the envelope itself as text/xml, without MIME packaging\n"...)}
	}
	start := d.Now()
	x, ok := d.exchanges.Get().(*exchange)
	if !ok {
		x = &exchange{}
	}
	x.door, x.call, x.view, x.place = d, call, d.Directory.View(), -1
	answer := x.answer(ctx, dst)
	x.request.Reset()
	clear(x.conditions)
	*x = exchange{request: x.request, conditions: x.conditions[:0]}
	d.exchanges.Put(x)
	d.Lookups.Seconds.Observe(d.Now().Sub(start))
	return answer
}

// isMIME tells whether a body is packaged in parts (SOAP with attachments, MTOM).
// Otherwise the type is not looked at: the envelope says what it is.
func isMIME(contentType []byte) bool {
	const multipart = "multipart/"
	return len(contentType) >= len(multipart) && bytes.EqualFold(contentType[:len(multipart)], []byte(multipart))
}

// describe answers a GET: the WSDL at ?wsdl.
func (d *Door) describe(dst []byte, call Call) Answer {
	if !bytes.EqualFold(call.Query, []byte("wsdl")) {
		return Answer{http.StatusMethodNotAllowed, "text/plain; charset=utf-8", append(dst, "POST a SOAP envelope, or GET ?wsdl\n"...)}
	}
	address := d.PublicURL
	if address == "" {
		address = "http://" + string(call.Host) + "/soap"
	}
	return Answer{http.StatusOK, WSDLContentType, AppendWSDL(dst, address)}
}

func (x *exchange) answer(ctx context.Context, dst []byte) Answer {
	r := &x.request
	if err := r.Parse(x.call.Body); err != nil {
		return x.fault(dst, asFault(err))
	}
	if fault := CheckAction(x.call.Action, r.Op); fault != nil {
		return x.fault(dst, fault)
	}
	length := len(dst)
	out, err := x.perform(ctx, dst)
	if err != nil {
		return x.fault(dst[:length], asFault(err))
	}
	return Answer{http.StatusOK, r.Version.ContentType(), AppendClose(out, r.Version, r.Op)}
}

func (x *exchange) fault(dst []byte, fault *Fault) Answer {
	x.door.Lookups.Count(x.place, meter.Failed)
	version := x.request.Version
	return Answer{fault.Status(version), version.ContentType(), AppendFault(dst, version, fault)}
}

// asFault maps kinds of failure to faults; what is not the client's to know
// stays in our log.
func asFault(err error) *Fault {
	if fault, ok := err.(*Fault); ok {
		return fault
	}
	switch failure.KindOf(err) {
	case failure.Invalid, failure.Unknown, failure.Refused:
		return &Fault{Client, err.Error()}
	case failure.Unavailable, failure.Full:
		return &Fault{Server, "the database can't be written now; try again"}
	}
	return internalFault()
}

func internalFault() *Fault { return &Fault{Server, "internal error; the server's log has the cause"} }

// Broken is the answer to a call that broke an invariant of ours.
func Broken(dst []byte) Answer {
	return Answer{http.StatusInternalServerError, SOAP11.ContentType(), AppendFault(dst, SOAP11, internalFault())}
}

// open begins the answer with this node's instance and the revision answered from.
func (x *exchange) open(dst []byte) []byte {
	return AppendOpen(dst, x.request.Version, x.request.Op, x.door.Directory.Instance(), x.view.Revision())
}

func (x *exchange) perform(ctx context.Context, dst []byte) ([]byte, error) {
	switch x.request.Op {
	case GetCodecs, LookupNumber:
		return x.lookUp(dst)
	case RealtimeSingle, RealtimeMulti:
		return x.read(dst)
	case RealtimeStatic:
		return x.static(dst)
	case RealtimeRequire:
		return x.require(dst)
	}
	return x.write(ctx, dst)
}

// lookUp answers GetCodecs and LookupNumber.
func (x *exchange) lookUp(dst []byte) ([]byte, error) {
	r := &x.request
	table := x.view.Table([]byte(numbers.Family))
	if table == nil {
		return nil, &Fault{Server, "the store has no table " + numbers.Family}
	}
	x.place = x.view.Place([]byte(numbers.Family))
	entry, found := numbers.Lookup(table, r.Tenant.Value, r.Number.Value)
	dst = x.open(dst)
	outcome := meter.Miss
	switch {
	case !found, r.Op == GetCodecs && !entry.Enabled():
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
