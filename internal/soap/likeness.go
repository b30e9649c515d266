package soap

import (
	"bytes"
	"unsafe"
)

// likeness is the last lookup that was read, as it came: a client asks the same way each time, and only the number
// differs. A body that begins and ends with the same bytes, with other plain characters in the place of the number, is
// the same XML but for that text, so there is nothing to be parsed: a tenth of the work (BenchmarkDoorGetCodecs).
type likeness struct {
	op            Op
	version       Version
	tenant        Text
	charset       []byte
	before, after []byte // around the number
}

// maxLikeness is the size of the largest body that is remembered.
const maxLikeness = 4 << 10

// note remembers a lookup that was read from body. The number must lie there as it is meant.
func (l *likeness) note(r *Request, body []byte, charset []byte) {
	number := r.Number.Value
	if r.Op != GetCodecs && r.Op != LookupNumber || len(body) > maxLikeness || len(number) == 0 || r.from != noCharset {
		return
	}
	at := int(uintptr(unsafe.Pointer(&number[0])) - uintptr(unsafe.Pointer(&body[0])))
	if at < 0 || at+len(number) > len(body) || !isPlainNumber(number) {
		return // it was put together elsewhere
	}
	l.op, l.version = r.Op, r.Version
	l.tenant = Text{Value: append(l.tenant.Value[:0], r.Tenant.Value...), Given: r.Tenant.Given}
	l.charset = append(l.charset[:0], charset...)
	l.before = append(l.before[:0], body[:at]...)
	l.after = append(l.after[:0], body[at+len(number):]...)
}

// take reads a body that is like the one remembered.
func (l *likeness) take(r *Request, body []byte, charset []byte) bool {
	end := len(body) - len(l.after)
	if l.op == NoOperation || end <= len(l.before) || !bytes.HasPrefix(body, l.before) || !bytes.Equal(body[end:], l.after) || !bytes.Equal(charset, l.charset) {
		return false
	}
	number := body[len(l.before):end:end]
	if !isPlainNumber(number) {
		return false
	}
	r.Op, r.Version, r.Tenant = l.op, l.version, l.tenant
	r.Number = Text{Value: number, Given: true}
	return true
}

// isPlainNumber tells whether a text stands for itself wherever in XML text may stand, and is no longer than numbers are.
func isPlainNumber(text []byte) bool {
	const most = 64
	for _, c := range text {
		if !isNameByte(c) && c != '+' && c != '*' && c != '#' && c != '@' {
			return false
		}
	}
	return len(text) <= most
}
