package soap

import "bytes"

// actionPrefix begins the action of every operation, its name follows.
const actionPrefix = Namespace + "#"

// CheckAction compares the value of the SOAPAction header with the operation that the Body names. A header that is
// missing or empty, with or without quotes, says nothing and is fine; any other must name the same operation, since
// a proxy between client and server may have decided by it.
func CheckAction(header []byte, op Op) *Fault {
	action := bytes.TrimSpace(header)
	if len(action) >= 2 && action[0] == '"' && action[len(action)-1] == '"' {
		action = action[1 : len(action)-1]
	}
	if confirms(action, op) {
		return nil
	}
	return actionFault("SOAPAction", action, op)
}

// checkTypesAction does the same for the parameter action of the Content-Type, which SOAP 1.2 has in its place.
func checkTypesAction(action []byte, op Op) *Fault {
	if confirms(action, op) {
		return nil
	}
	return actionFault("the action of the Content-Type", action, op)
}

// confirms reports whether an action says nothing against the operation.
func confirms(action []byte, op Op) bool {
	name, ours := bytes.CutPrefix(action, []byte(actionPrefix))
	return len(action) == 0 || ours && string(name) == op.String()
}

func actionFault(where string, action []byte, op Op) *Fault {
	return clientFault(where + " is " + quoted(action) + ", but the Body asks " + op.String() +
		"; send " + quoted([]byte(actionPrefix+op.String())) + " or leave it empty")
}
