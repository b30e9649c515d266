package soap

// envelope reads the whole document: an Envelope of a version that we speak with an optional Header and one Body.
func (r *Request) envelope() *Fault {
	if _, fault := r.next(); fault != nil { // the scanner knows no document without an element
		return fault
	}
	if fault := r.tellVersion(); fault != nil {
		return fault
	}
	more, fault := r.child("Envelope")
	if fault == nil && more && r.isEnvelopes("Header") {
		if fault = r.header(); fault == nil {
			more, fault = r.child("Envelope")
		}
	}
	switch {
	case fault != nil:
		return fault
	case !more:
		return clientFault("the Envelope has no Body")
	case !r.isEnvelopes("Body"):
		return clientFault("the Envelope must hold a Body, but there is " + r.elementName())
	}
	if fault = r.body(); fault != nil {
		return fault
	}
	if more, fault = r.child("Envelope"); fault != nil {
		return fault
	} else if more {
		return clientFault("nothing may follow the Body, but there is " + r.elementName())
	}
	_, fault = r.next() // to the end of the document
	return fault
}

// tellVersion finds the version by the document element. Any other element than an Envelope is a VersionMismatch too
// in SOAP 1.2 (part 1, 5.4.6), while SOAP 1.1 has that code for a wrong namespace only.
func (r *Request) tellVersion() *Fault {
	s := &r.scanner
	version, known := versionOf(s.space)
	switch {
	case string(s.local) != "Envelope":
		fault := clientFault("the document must be a SOAP Envelope, but it is " + r.elementName())
		if r.Version == SOAP12 {
			fault.Code = VersionMismatch
		}
		return fault
	case !known:
		return &Fault{Code: VersionMismatch, Text: "the Envelope must be in namespace " + quoted([]byte(envelope11)) +
			" (SOAP 1.1) or " + quoted([]byte(envelope12)) + " (SOAP 1.2), but it is in " + spaceName(s.space)}
	}
	r.Version = version
	return nil
}

// isEnvelopes reports whether the element that has just begun is the one of that name in the envelope's namespace.
func (r *Request) isEnvelopes(local string) bool {
	return string(r.scanner.local) == local && string(r.scanner.space) == r.Version.envelope()
}

// body reads the one element of the Body, which is the operation.
func (r *Request) body() *Fault {
	more, fault := r.child("Body")
	switch {
	case fault != nil:
		return fault
	case !more:
		return clientFault("the Body is empty; it must hold one of " + operationList())
	}
	if fault = r.operation(); fault != nil {
		return fault
	}
	if more, fault = r.child("Body"); more {
		return clientFault("the Body must hold one element, but after " + r.Op.String() + " there is " + r.elementName())
	}
	return fault
}

// operation reads the element that names the operation, and its parameters.
func (r *Request) operation() *Fault {
	s := &r.scanner
	if string(s.space) != Namespace {
		return clientFault("the element " + string(s.local) + " must be in namespace " + quoted([]byte(Namespace)) +
			", but it is in " + spaceName(s.space))
	}
	if r.Op = operationNamed(s.local); r.Op == NoOperation {
		return clientFault("there is no operation " + string(s.local) + "; there are " + operationList())
	}
	return r.parameters()
}

// elementName says the name of the element that has just begun to a person.
func (r *Request) elementName() string {
	return string(r.scanner.local) + " in " + spaceName(r.scanner.space)
}

func spaceName(space []byte) string {
	if len(space) == 0 {
		return "no namespace"
	}
	return quoted(space)
}

// quoted puts quotes around what the client sent and cuts it to a length that a log can bear.
func quoted(text []byte) string {
	const most = 200
	if len(text) > most {
		return `"` + string(text[:most]) + `..."`
	}
	return `"` + string(text) + `"`
}
