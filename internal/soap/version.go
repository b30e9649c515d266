package soap

// Namespace is the namespace of Asterism's operations and of all elements inside them.
const Namespace = "urn:asterism:v1"

// Both versions are written with the same prefix, so that they differ in the namespace only.
const (
	envelope11        = "http://schemas.xmlsoap.org/soap/envelope/"
	envelope12        = "http://www.w3.org/2003/05/soap-envelope"
	schemaInstance    = "http://www.w3.org/2001/XMLSchema-instance"
	contentType11     = "text/xml; charset=utf-8"
	contentType12     = "application/soap+xml; charset=utf-8"
	xmlDeclaration    = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"
	envelopeOpen11    = xmlDeclaration + `<SOAP-ENV:Envelope xmlns:SOAP-ENV="` + envelope11 + `">`
	envelopeOpen12    = xmlDeclaration + `<SOAP-ENV:Envelope xmlns:SOAP-ENV="` + envelope12 + `">`
	bodyOpen          = `<SOAP-ENV:Body>`
	envelopeEnd       = `</SOAP-ENV:Body></SOAP-ENV:Envelope>`
	responseNamespace = `Response xmlns="` + Namespace + `">`
)

// Version is a version of SOAP. An answer has the version of its request's envelope. Where there is no envelope to go
// by, the Content-Type decides, and without one it is the zero value.
type Version uint8

// The versions.
const (
	SOAP11 Version = iota
	SOAP12
)

// ContentType is the header of every answer, faults included.
func (v Version) ContentType() string {
	if v == SOAP12 {
		return contentType12
	}
	return contentType11
}

// envelope is the namespace of the envelope.
func (v Version) envelope() string {
	if v == SOAP12 {
		return envelope12
	}
	return envelope11
}

// open is what stands in front of a Header or Body.
func (v Version) open() string {
	if v == SOAP12 {
		return envelopeOpen12
	}
	return envelopeOpen11
}

// begin is what stands in front of the content of the Body when there is no Header.
func (v Version) begin() string {
	if v == SOAP12 {
		return envelopeOpen12 + bodyOpen
	}
	return envelopeOpen11 + bodyOpen
}

// versionOf finds the version by the namespace of an envelope.
func versionOf(space []byte) (v Version, known bool) {
	switch string(space) {
	case envelope11:
		return SOAP11, true
	case envelope12:
		return SOAP12, true
	}
	return SOAP11, false
}
