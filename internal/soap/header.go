package soap

// Who a header entry is meant for: in SOAP 1.1 its actor, in SOAP 1.2 its role.
const (
	actorNext    = "http://schemas.xmlsoap.org/soap/actor/next"
	roleNext     = "http://www.w3.org/2003/05/soap-envelope/role/next"
	roleUltimate = "http://www.w3.org/2003/05/soap-envelope/role/ultimateReceiver"
)

// header passes over the entries of the Header. We understand none of them, which matters only for one that must be
// understood and is meant for us.
func (r *Request) header() *Fault {
	for {
		more, fault := r.child("Header")
		if fault != nil || !more {
			return fault
		}
		must, fault := r.mustUnderstand()
		switch {
		case fault != nil:
			return fault
		case must:
			s := &r.scanner
			return &Fault{
				Code: MustUnderstand, HeaderSpace: string(s.space), HeaderName: string(s.local),
				Text: "the header entry " + r.elementName() + " has mustUnderstand set, but no header entry is understood here",
			}
		}
		if fault = r.skip(); fault != nil {
			return fault
		}
	}
}

// mustUnderstand looks at the attributes of a header entry. One that is meant for somebody else is not for us.
func (r *Request) mustUnderstand() (bool, *Fault) {
	must, ours := false, true
	for _, a := range r.scanner.attributes {
		if string(a.space) != r.Version.envelope() {
			continue
		}
		switch string(a.local) {
		case "mustUnderstand":
			var valid bool
			if must, valid = parseBoolean(a.value); !valid {
				return false, clientFault("mustUnderstand of the header entry " + r.elementName() + " must be true or false")
			}
		case "actor":
			ours = r.Version != SOAP11 || len(a.value) == 0 || string(a.value) == actorNext
		case "role":
			ours = r.Version != SOAP12 || isOurRole(a.value)
		}
	}
	return must && ours, nil
}

// isOurRole reports whether we act in a role. We are the end of the path, so the role none and those of somebody else
// are not ours.
func isOurRole(role []byte) bool {
	switch string(role) {
	case "", roleNext, roleUltimate:
		return true
	}
	return false
}
