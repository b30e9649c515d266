package soap

import (
	"bytes"
	"io"
	"mime/multipart"
	"strconv"
	"strings"
)

// unpackaged ends every refusal.
const unpackaged = "send the envelope alone, as text/xml or application/soap+xml, without MTOM or attachments"

// unpack takes the envelope out of a package (SOAP with attachments, MTOM) that has no other part, and adds what the
// part says of itself to the type. Otherwise refusal says what to do: what is no envelope is no matter for a fault.
func unpack(body []byte, kind mediaType) (envelope []byte, of mediaType, refusal string) {
	switch {
	case !bytes.EqualFold(kind.kind, []byte("multipart/related")):
		return nil, kind, "no other package than multipart/related is taken; " + unpackaged
	case len(kind.boundary) == 0:
		return nil, kind, "the Content-Type has no boundary; " + unpackaged
	}
	reader := multipart.NewReader(bytes.NewReader(body), string(kind.boundary))
	part, err := reader.NextRawPart()
	if err != nil {
		return nil, kind, "the body has no part between the boundaries that the Content-Type tells; " + unpackaged
	}
	if refusal := refusePart(part, kind); refusal != "" {
		return nil, kind, refusal
	}
	if envelope, err = io.ReadAll(part); err == nil {
		_, err = reader.NextRawPart()
	}
	switch {
	case err == nil:
		return nil, kind, "attachments are not taken; " + unpackaged
	case err != io.EOF: // as it is when the last boundary is there, and wrapped when it is not
		return nil, kind, "the body breaks off before its last boundary; " + unpackaged
	}
	return envelope, kind.around(parseMediaType([]byte(part.Header.Get("Content-Type")))), ""
}

// refusePart looks at the headers of the first part.
func refusePart(part *multipart.Part, kind mediaType) string {
	count, size := 0, 0
	for name, values := range part.Header {
		for _, value := range values {
			count++
			size += len(name) + len(value)
		}
	}
	if count > MaxPartHeaders || size > MaxPartHeader {
		return "a part may have " + strconv.Itoa(MaxPartHeaders) + " headers of " + strconv.Itoa(MaxPartHeader) + " bytes together; " + unpackaged
	}
	switch strings.ToLower(part.Header.Get("Content-Transfer-Encoding")) {
	case "", "binary", "8bit", "7bit":
	default:
		return "the Content-Transfer-Encoding of the part must be binary, 8bit or 7bit; " + unpackaged
	}
	id := part.Header.Get("Content-ID")
	if start := string(kind.start); start != "" && id != "" && bare(start) != bare(id) {
		return "the first part is not the one that start in the Content-Type names, and attachments are not taken; " + unpackaged
	}
	return ""
}

// bare leaves out the angle brackets of a Content-ID, as some toolkits do.
func bare(id string) string {
	return strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(id), "<"), ">")
}

// isAttachment reports whether the element that has just begun is xop:Include, in whose place MTOM wants the content
// of another part.
func (r *Request) isAttachment() bool {
	return string(r.scanner.space) == "http://www.w3.org/2004/08/xop/include" && string(r.scanner.local) == "Include"
}

func attachmentFault(name string) *Fault {
	return clientFault(name + " refers to an attachment with xop:Include, but attachments are not taken; its text must stand in it")
}

// around adds the type of the only part to that of its package. The part knows the encoding; either may know the
// version and the action.
func (m mediaType) around(part mediaType) mediaType {
	m.charset = part.charset
	if len(m.action) == 0 {
		m.action = part.action
	}
	if m.version() != part.version() {
		m.kind = []byte("application/soap+xml")
	}
	return m
}
