package soap

// Code says whose fault it is. The names are those of SOAP 1.1; SOAP 1.2 calls the first two Sender and Receiver.
type Code uint8

// The codes of SOAP 1.1.
const (
	Client          Code = iota // the request is wrong; sending it again will not help
	Server                      // the request is fine, we could not answer it
	MustUnderstand              // a header entry that must be understood is not
	VersionMismatch             // the envelope is of a version that we do not speak
)

// String is the local part of the faultcode of SOAP 1.1.
func (c Code) String() string {
	switch c {
	case Client:
		return "Client"
	case MustUnderstand:
		return "MustUnderstand"
	case VersionMismatch:
		return "VersionMismatch"
	}
	return "Server"
}

// in is the local part of the code in a version.
func (c Code) in(version Version) string {
	switch {
	case version == SOAP12 && c == Client:
		return "Sender"
	case version == SOAP12 && c == Server:
		return "Receiver"
	}
	return c.String()
}

// Fault is said instead of an answer. The text is for the person who reads the client's log: what was wrong and what
// would be right, and nothing of our inside.
type Fault struct {
	Code Code
	Text string

	// The header entry that was not understood; SOAP 1.2 names it in a Header of the answer.
	HeaderSpace, HeaderName string
}

// Error makes a Fault an error.
func (f *Fault) Error() string { return "soap fault " + f.Code.String() + ": " + f.Text }

// Status is the HTTP status that a fault is sent with. SOAP 1.1 knows 500 only, whoever is to blame; SOAP 1.2 gives
// the sender a status of its own.
func (f *Fault) Status(version Version) int {
	if version == SOAP12 && f.Code == Client {
		return 400
	}
	return 500
}

// AppendFault appends a whole answer that consists of a fault.
func AppendFault(dst []byte, version Version, fault *Fault) []byte {
	dst = append(dst, version.open()...)
	dst = appendFaultHeader(dst, version, fault)
	dst = append(dst, bodyOpen...)
	if version == SOAP12 {
		dst = appendFault12(dst, fault)
	} else {
		dst = appendFault11(dst, fault)
	}
	return append(dst, envelopeEnd...)
}

// appendFault11: the children of Fault have no namespace, and the code is a name with the prefix of the envelope.
func appendFault11(dst []byte, fault *Fault) []byte {
	dst = append(dst, "<SOAP-ENV:Fault><faultcode>SOAP-ENV:"...)
	dst = append(dst, fault.Code.in(SOAP11)...)
	dst = append(dst, "</faultcode><faultstring>"...)
	dst = appendText(dst, fault.Text)
	return append(dst, "</faultstring></SOAP-ENV:Fault>"...)
}

// appendFault12: all is in the namespace of the envelope, and the text says its language.
func appendFault12(dst []byte, fault *Fault) []byte {
	dst = append(dst, "<SOAP-ENV:Fault><SOAP-ENV:Code><SOAP-ENV:Value>SOAP-ENV:"...)
	dst = append(dst, fault.Code.in(SOAP12)...)
	dst = append(dst, `</SOAP-ENV:Value></SOAP-ENV:Code><SOAP-ENV:Reason><SOAP-ENV:Text xml:lang="en">`...)
	dst = appendText(dst, fault.Text)
	return append(dst, "</SOAP-ENV:Text></SOAP-ENV:Reason></SOAP-ENV:Fault>"...)
}

// upgrade lists the envelopes that we take, the preferred one first, as SOAP 1.2 part 1, 5.4.7 wants it. It stands in
// answers of both versions (appendix A there), always in the namespace of SOAP 1.2.
const upgrade = `<SOAP-ENV:Header><v:Upgrade xmlns:v="` + envelope12 + `">` +
	`<v:SupportedEnvelope qname="a:Envelope" xmlns:a="` + envelope12 + `"/>` +
	`<v:SupportedEnvelope qname="b:Envelope" xmlns:b="` + envelope11 + `"/>` +
	`</v:Upgrade></SOAP-ENV:Header>`

// appendFaultHeader appends the Header that some faults have.
func appendFaultHeader(dst []byte, version Version, fault *Fault) []byte {
	switch {
	case fault.Code == VersionMismatch:
		return append(dst, upgrade...)
	case version != SOAP12 || fault.HeaderName == "":
		return dst
	}
	dst = append(dst, `<SOAP-ENV:Header><SOAP-ENV:NotUnderstood qname="`...)
	if fault.HeaderSpace != "" {
		dst = append(dst, "h:"...)
	}
	dst = appendText(dst, fault.HeaderName)
	if fault.HeaderSpace != "" {
		dst = append(dst, `" xmlns:h="`...)
		dst = appendText(dst, fault.HeaderSpace)
	}
	return append(dst, `"/></SOAP-ENV:Header>`...)
}

// clientFault is the most frequent fault.
func clientFault(text string) *Fault {
	return &Fault{Code: Client, Text: text}
}

// serverFault is a fault of ours.
func serverFault(text string) *Fault {
	return &Fault{Code: Server, Text: text}
}
