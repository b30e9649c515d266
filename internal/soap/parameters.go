package soap

// parameters reads the children of the operation's element.
func (r *Request) parameters() *Fault {
	signature := r.Op.signature()
	var seen, given parameters
	for {
		more, fault := r.child(r.Op.String())
		switch {
		case fault != nil:
			return fault
		case !more:
			return r.checkGiven(signature, given)
		}
		parameter := r.parameterHere()
		switch {
		case parameter&signature.takes == 0:
			return r.unknown(r.Op.String(), signature.String())
		case parameter&seen != 0 && parameter&signature.repeats == 0:
			return clientFault(r.Op.String() + " takes only one " + parameter.name())
		}
		seen |= parameter
		isGiven, fault := r.parameter(parameter)
		if fault != nil {
			return fault
		}
		if isGiven {
			given |= parameter
		}
	}
}

// parameterHere tells the parameter by the element that has just begun.
func (r *Request) parameterHere() parameters {
	if !r.isOurs() {
		return noParameter
	}
	return parameterNamed(r.scanner.local)
}

// parameter reads one parameter and reports whether it is given; a single one that is nil is not.
func (r *Request) parameter(p parameters) (bool, *Fault) {
	switch p {
	case condition:
		return true, r.condition()
	case field:
		return true, r.field()
	case column:
		return true, r.column()
	}
	got, fault := r.leaf(p.name())
	if fault != nil || got.null {
		return false, fault
	}
	text := Text{Value: got.text, Given: true}
	switch p {
	case number:
		r.Number = text
	case tenant:
		r.Tenant = text
	case instance:
		r.Instance = text
	case revision:
		r.Revision = text
	case family:
		r.Family = text
		r.Families = append(r.Families, got.text)
	case file:
		r.File = text
	}
	return true, nil
}

// checkGiven looks whether the operation has all that it needs.
func (r *Request) checkGiven(signature signature, given parameters) *Fault {
	for p := number; p != afterLastParameter; p <<= 1 {
		if signature.needs&p != 0 && given&p == 0 {
			return clientFault(r.Op.String() + " needs the element " + p.name() + "; it takes " + signature.String())
		}
	}
	return nil
}

// isOurs reports whether the element is in our namespace or in none. Toolkits that ignore elementFormDefault send
// parameters without a namespace.
func (r *Request) isOurs() bool {
	return len(r.scanner.space) == 0 || string(r.scanner.space) == Namespace
}

// unknown is the fault for an element that its parent does not take.
func (r *Request) unknown(parent, takes string) *Fault {
	if r.isAttachment() {
		return attachmentFault(parent)
	}
	name := string(r.scanner.local)
	if !r.isOurs() {
		name = r.elementName()
	}
	return clientFault(parent + " does not take the element " + name + "; it takes " + takes)
}
