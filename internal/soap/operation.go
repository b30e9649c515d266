package soap

import "strings"

// Op is an operation. The zero value is none.
type Op uint8

// The operations, in the order of the WSDL.
const (
	NoOperation Op = iota
	GetCodecs
	LookupNumber
	RealtimeSingle
	RealtimeMulti
	RealtimeUpdate
	RealtimeStore
	RealtimeDestroy
	RealtimeRequire
	RealtimeStatic
	Watch
	afterLastOperation
)

// String is the name of the operation's element.
func (op Op) String() string {
	switch op {
	case GetCodecs:
		return "GetCodecs"
	case LookupNumber:
		return "LookupNumber"
	case RealtimeSingle:
		return "RealtimeSingle"
	case RealtimeMulti:
		return "RealtimeMulti"
	case RealtimeUpdate:
		return "RealtimeUpdate"
	case RealtimeStore:
		return "RealtimeStore"
	case RealtimeDestroy:
		return "RealtimeDestroy"
	case RealtimeRequire:
		return "RealtimeRequire"
	case RealtimeStatic:
		return "RealtimeStatic"
	case Watch:
		return "Watch"
	}
	return "none"
}

// operationNamed finds an operation by the local name of its element. GetCodecs comes first: it is asked most.
func operationNamed(local []byte) Op {
	for op := NoOperation + 1; op < afterLastOperation; op++ {
		if string(local) == op.String() {
			return op
		}
	}
	return NoOperation
}

// operationList names all operations, for a fault.
func operationList() string {
	var names []string
	for op := NoOperation + 1; op < afterLastOperation; op++ {
		names = append(names, op.String())
	}
	return strings.Join(names, ", ")
}

// parameters is a set of parameters, one bit each.
type parameters uint16

const (
	number parameters = 1 << iota
	tenant
	instance
	revision
	family
	file
	condition
	field
	column
	afterLastParameter

	noParameter parameters = 0
)

// name is the element of a single parameter.
func (p parameters) name() string {
	switch p {
	case number:
		return "number"
	case tenant:
		return "tenant"
	case instance:
		return "instance"
	case revision:
		return "revision"
	case family:
		return "family"
	case file:
		return "file"
	case condition:
		return "condition"
	case field:
		return "field"
	case column:
		return "column"
	}
	return ""
}

// parameterNamed finds a parameter by the local name of its element.
func parameterNamed(local []byte) parameters {
	for p := number; p != afterLastParameter; p <<= 1 {
		if string(local) == p.name() {
			return p
		}
	}
	return noParameter
}

// signature is what an operation takes, what of it must be there at least once, and
// what may come more than once.
type signature struct {
	takes, needs, repeats parameters
}

func (op Op) signature() signature {
	switch op {
	case GetCodecs, LookupNumber:
		return signature{takes: number | tenant, needs: number}
	case RealtimeSingle, RealtimeMulti:
		return signature{takes: family | condition, needs: family, repeats: condition}
	case RealtimeUpdate:
		return signature{takes: family | condition | field, needs: family | condition | field, repeats: condition | field}
	case RealtimeStore:
		return signature{takes: family | field, needs: family | field, repeats: field}
	case RealtimeDestroy:
		return signature{takes: family | condition, needs: family | condition, repeats: condition}
	case RealtimeRequire:
		return signature{takes: family | column, needs: family, repeats: column}
	case RealtimeStatic:
		return signature{takes: file, needs: file}
	case Watch:
		return signature{takes: instance | revision | family, repeats: family}
	}
	return signature{}
}

// String lists the parameters for a fault: a required one by its name, another one with ?, + or * behind it.
func (s signature) String() string {
	var names []string
	for p := number; p != afterLastParameter; p <<= 1 {
		switch {
		case s.takes&p == 0:
		case p&s.repeats != 0 && s.needs&p != 0:
			names = append(names, p.name()+"+")
		case p&s.repeats != 0:
			names = append(names, p.name()+"*")
		case s.needs&p == 0:
			names = append(names, p.name()+"?")
		default:
			names = append(names, p.name())
		}
	}
	return strings.Join(names, ", ")
}
