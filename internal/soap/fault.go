package soap

// Code says whose fault it is. The names are those of SOAP 1.1; a later version maps them to its own.
type Code uint8

// The codes of SOAP 1.1.
const (
	Client          Code = iota // the request is wrong; sending it again will not help
	Server                      // the request is fine, we could not answer it
	MustUnderstand              // a header entry that must be understood is not
	VersionMismatch             // the envelope is of a version that we do not speak
)

// String is the local part of the faultcode.
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

// Fault is said instead of an answer. The text is for the person who reads the client's log: what was wrong and what
// would be right, and nothing of our inside.
type Fault struct {
	Code Code
	Text string
}

// Error makes a Fault an error.
func (f *Fault) Error() string { return "soap fault " + f.Code.String() + ": " + f.Text }

// Status is the HTTP status that a fault is sent with. SOAP 1.1 knows 500 only, whoever is to blame.
func (f *Fault) Status(Version) int { return faultStatus11 }

// AppendFault appends a whole answer that consists of a fault. In SOAP 1.1 the children of Fault have no namespace and
// the code is a name with the prefix of the envelope.
func AppendFault(dst []byte, version Version, fault *Fault) []byte {
	dst = append(dst, version.begin()...)
	dst = append(dst, "<SOAP-ENV:Fault><faultcode>SOAP-ENV:"...)
	dst = append(dst, fault.Code.String()...)
	dst = append(dst, "</faultcode><faultstring>"...)
	dst = appendText(dst, fault.Text)
	dst = append(dst, "</faultstring></SOAP-ENV:Fault>"...)
	return append(dst, version.end()...)
}

// clientFault is the most frequent fault.
func clientFault(text string) *Fault {
	return &Fault{Code: Client, Text: text}
}
