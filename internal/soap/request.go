package soap

// Request is one question. Parse fills it, and a Request that is parsed into again and again allocates nothing. Its
// slices are valid until the next Parse or Reset and as long as the body is not changed. The zero value is ready.
type Request struct {
	Version Version
	Op      Op

	Number, Tenant, Family, File, Instance, Revision Text

	Families   [][]byte // all that were named; Family is the last one
	Conditions []Condition
	Fields     []Field
	Columns    []Column

	scanner scanner
	decoded []byte  // the body in UTF-8 when it came in another encoding
	from    charset // that encoding
	last    likeness
}

// Text is a parameter that comes at most once. A parameter with xsi:nil="true" is not given.
type Text struct {
	Value []byte
	Given bool
}

// Condition is one condition on a column. Operator is =, !=, <, <=, >, >=, LIKE or NOT LIKE, never empty. Nil says
// that the value was xsi:nil, so there is none.
type Condition struct {
	Column, Operator, Value []byte
	Nil                     bool
}

// Field is a column and what to write into it. Nil says that the value was xsi:nil: the column is to be cleared.
type Field struct {
	Name, Value []byte
	Nil         bool
}

// Column is a column that Asterisk requires, with its idea of the type and of the size in characters or digits.
type Column struct {
	Name, Type []byte
	Size       int
}

// Reset forgets the question and keeps the memory.
func (r *Request) Reset() {
	r.Version, r.Op = SOAP11, NoOperation
	r.Number, r.Tenant, r.Family, r.File, r.Instance, r.Revision = Text{}, Text{}, Text{}, Text{}, Text{}, Text{}
	r.Families = r.Families[:0]
	r.Conditions, r.Fields, r.Columns = r.Conditions[:0], r.Fields[:0], r.Columns[:0]
	r.scanner.release()
	r.from = noCharset
	if cap(r.decoded) > keepArena {
		r.decoded = nil
	}
}

// Parse reads the body of a request. Its error is always a *Fault; Version then says in which version to answer, and
// nothing else of the Request may be used.
func (r *Request) Parse(body []byte) error {
	return r.parse(body, mediaType{})
}

// parse is Parse for a body that came with a Content-Type: it tells the encoding, and the version as long as there is
// no envelope to go by.
func (r *Request) parse(body []byte, kind mediaType) error {
	r.Reset()
	if r.last.take(r, body, kind.charset) {
		return nil
	}
	r.Version = kind.version()
	fault := r.open(body, kind.charset)
	if fault == nil {
		fault = r.envelope()
	}
	if fault != nil { // an error that holds a nil *Fault would be none
		return fault
	}
	r.last.note(r, body, kind.charset)
	return nil
}

// next passes the scanner's tokens on and its errors as faults.
func (r *Request) next() (token, *Fault) {
	found, err := r.scanner.next()
	if err != nil {
		return 0, r.malformed(err)
	}
	return found, nil
}

// child goes to the next child of the open element called parent and reports whether there is one; when there is
// none, the element is closed. Between children only white space may stand.
func (r *Request) child(parent string) (bool, *Fault) {
	for {
		found, fault := r.next()
		switch {
		case fault != nil:
			return false, fault
		case found == startElement:
			return true, nil
		case found == endElement:
			return false, nil
		case !onlyBlanks(r.scanner.text):
			return false, clientFault(parent + " holds elements, but there is text between them")
		}
	}
}

// skip goes to the end of the element that has just begun, whatever it holds.
func (r *Request) skip() *Fault {
	for depth := 1; depth > 0; {
		found, fault := r.next()
		switch {
		case fault != nil:
			return fault
		case found == startElement:
			depth++
		case found == endElement:
			depth--
		}
	}
	return nil
}

func (r *Request) malformed(err error) *Fault {
	if r.from != noCharset { // perhaps it is not in the encoding that was told
		return clientFault("the request cannot be read as XML in " + r.from.String() + ", " + err.Error())
	}
	return clientFault("the request cannot be read as XML, " + err.Error())
}
