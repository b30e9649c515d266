package bench

import "bytes"

// soap asks as a client made by gSOAP does: SOAP 1.1, the operation's prefix on
// its wrapper only, every value with its type.
type soap struct{}

const (
	envelopeHead = `<?xml version="1.0" encoding="UTF-8"?>` + "\n" +
		`<SOAP-ENV:Envelope xmlns:SOAP-ENV="http://schemas.xmlsoap.org/soap/envelope/"` +
		` xmlns:ns1="urn:asterism:v1" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"` +
		` xmlns:xsd="http://www.w3.org/2001/XMLSchema">` +
		`<SOAP-ENV:Body SOAP-ENV:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/">` +
		`<ns1:GetCodecs><number xsi:type="xsd:string">`
	envelopeTail = `</number></ns1:GetCodecs></SOAP-ENV:Body></SOAP-ENV:Envelope>`
)

func (soap) suffix() string { return "" }

func (soap) headers() string {
	return "User-Agent: asterism-bench\r\n" +
		"Content-Type: text/xml; charset=utf-8\r\n" +
		"SOAPAction: \"urn:asterism:v1#GetCodecs\"\r\n"
}

func (soap) appendBody(body []byte, number string) []byte {
	body = append(body, envelopeHead...)
	for i := range len(number) {
		switch c := number[i]; c {
		case '&':
			body = append(body, "&amp;"...)
		case '<':
			body = append(body, "&lt;"...)
		case '>':
			body = append(body, "&gt;"...)
		default:
			body = append(body, c)
		}
	}
	return append(body, envelopeTail...)
}

// appendCodecs takes the text of every element called codec, whatever its
// prefix. It is no XML parser: it need only tell a right answer from a wrong
// one, and codec names have no characters that XML would escape. A comma inside
// an element is written "\,", so that one element never passes for two.
func (soap) appendCodecs(list, answer []byte) []byte {
	first := true
	for {
		tag, rest, found := nextTag(answer)
		if !found {
			return list
		}
		answer = rest
		if string(localName(tag)) != "codec" {
			continue
		}
		if !first {
			list = append(list, ',')
		}
		first = false
		if tag[len(tag)-1] == '/' {
			continue
		}
		text, _, _ := bytes.Cut(answer, []byte{'<'})
		for _, c := range text {
			if c == ',' {
				list = append(list, '\\')
			}
			list = append(list, c)
		}
	}
}

// nextTag returns what stands between the next < and >, without comments.
func nextTag(text []byte) (tag, rest []byte, found bool) {
	for {
		_, text, found = bytes.Cut(text, []byte{'<'})
		if !found {
			return nil, nil, false
		}
		comment, isComment := bytes.CutPrefix(text, []byte("!--"))
		if !isComment {
			return bytes.Cut(text, []byte{'>'})
		}
		_, text, found = bytes.Cut(comment, []byte("-->"))
		if !found {
			return nil, nil, false
		}
	}
}

// localName of a start tag is its name without prefix; an end tag has none.
func localName(tag []byte) []byte {
	if len(tag) == 0 || tag[0] == '/' {
		return nil
	}
	name := tag
	if end := bytes.IndexAny(tag, " \t\r\n/"); end >= 0 {
		name = tag[:end]
	}
	if colon := bytes.IndexByte(name, ':'); colon >= 0 {
		name = name[colon+1:]
	}
	return name
}
