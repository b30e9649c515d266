package soap

import "bytes"

// actionPrefix begins the SOAPAction of every operation, its name follows.
const actionPrefix = Namespace + "#"

// CheckAction compares the value of the SOAPAction header with the operation that the Body names. A header that is
// missing or empty, with or without quotes, says nothing and is fine; any other must name the same operation, since
// a proxy between client and server may have decided by it.
func CheckAction(header []byte, op Op) *Fault {
	action := bytes.TrimSpace(header)
	if len(action) >= 2 && action[0] == '"' && action[len(action)-1] == '"' {
		action = action[1 : len(action)-1]
	}
	name, ours := bytes.CutPrefix(action, []byte(actionPrefix))
	if len(action) == 0 || ours && string(name) == op.String() {
		return nil
	}
	return clientFault("SOAPAction is " + quoted(action) + ", but the Body asks " + op.String() +
		"; send " + quoted([]byte(actionPrefix+op.String())) + " or an empty SOAPAction")
}
