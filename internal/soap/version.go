package soap

// Namespace is the namespace of Asterism's operations and of all elements inside them.
const Namespace = "urn:asterism:v1"

const (
	envelope11        = "http://schemas.xmlsoap.org/soap/envelope/"
	schemaInstance    = "http://www.w3.org/2001/XMLSchema-instance"
	actorNext         = "http://schemas.xmlsoap.org/soap/actor/next"
	contentType11     = "text/xml; charset=utf-8"
	xmlDeclaration    = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"
	envelopeBegin11   = xmlDeclaration + `<SOAP-ENV:Envelope xmlns:SOAP-ENV="` + envelope11 + `"><SOAP-ENV:Body>`
	envelopeEnd11     = `</SOAP-ENV:Body></SOAP-ENV:Envelope>`
	faultStatus11     = 500
	responseNamespace = `Response xmlns="` + Namespace + `">`
)

// Version is a version of SOAP. An answer has the version of its request; a request whose version cannot be told is
// answered in the zero value.
type Version uint8

// SOAP11 is SOAP 1.1.
const SOAP11 Version = 0

// ContentType is the header of every answer, faults included.
func (v Version) ContentType() string { return contentType11 }

// envelope is the namespace of the envelope.
func (v Version) envelope() string { return envelope11 }

// begin and end are what stands around the content of the Body.
func (v Version) begin() string { return envelopeBegin11 }
func (v Version) end() string   { return envelopeEnd11 }
