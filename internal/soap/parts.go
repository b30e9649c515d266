package soap

import (
	"strconv"
)

// leaf is an element that holds text and nothing else. The zero value is one that is not there.
type leaf struct {
	text  []byte
	given bool
	null  bool // it was xsi:nil
}

// part names a child of condition, field or column.
type part struct {
	name     string
	optional bool
}

// leaf reads the text of the element that has just begun, whose name is known to be name. All attributes but xsi:nil
// are ignored, xsi:type and encodingStyle among them.
func (r *Request) leaf(name string) (leaf, *Fault) {
	got := leaf{given: true}
	for _, a := range r.scanner.attributes {
		switch {
		case string(a.local) == "nil" && string(a.space) == schemaInstance:
			value, valid := parseBoolean(a.value)
			if !valid {
				return leaf{}, clientFault("xsi:nil of " + name + " must be true or false")
			}
			got.null = value
		case string(a.local) == "href" && len(a.space) == 0:
			// Of SOAP's own encoding. The text is elsewhere, and taking the value for empty would be a wrong answer.
			return leaf{}, clientFault(name + " refers to another element with href; its text must stand in it")
		}
	}
	for {
		found, fault := r.next()
		switch {
		case fault != nil:
			return leaf{}, fault
		case found == endElement:
			return got, nil
		case found == startElement && r.isAttachment():
			return leaf{}, attachmentFault(name)
		case found == startElement:
			return leaf{}, clientFault(name + " must hold text only, but there is the element " + string(r.scanner.local))
		case !got.null:
			got.text = r.scanner.text
		case !onlyBlanks(r.scanner.text):
			return leaf{}, clientFault(name + " is xsi:nil and must be empty")
		}
	}
}

// leaves reads the children of the element that has just begun, in any order. Each comes once, an optional one may be
// missing.
func (r *Request) leaves(parent string, parts [3]part) (got [3]leaf, fault *Fault) {
	for _, a := range r.scanner.attributes {
		if value, _ := parseBoolean(a.value); value && string(a.local) == "nil" && string(a.space) == schemaInstance {
			return got, clientFault(parent + " must not be nil; leave it out instead")
		}
	}
	for {
		more, fault := r.child(parent)
		if fault != nil {
			return got, fault
		}
		if !more {
			break
		}
		i := 0
		for i < len(parts) && string(r.scanner.local) != parts[i].name {
			i++
		}
		switch {
		case i == len(parts) || !r.isOurs():
			return got, r.unknown(parent, partList(parts))
		case got[i].given:
			return got, clientFault(parent + " takes only one " + parts[i].name)
		}
		if got[i], fault = r.leaf(parts[i].name); fault != nil {
			return got, fault
		}
	}
	for i, part := range parts {
		if part.name != "" && !part.optional && !got[i].given {
			return got, clientFault(parent + " needs the element " + part.name + "; it takes " + partList(parts))
		}
	}
	return got, nil
}

func (r *Request) condition() *Fault {
	got, fault := r.leaves("condition", [3]part{{name: "column"}, {name: "operator", optional: true}, {name: "value"}})
	if fault != nil {
		return fault
	}
	if got[0].null {
		return clientFault("the column of a condition must not be nil")
	}
	operator, fault := r.operator(got[1])
	if fault != nil {
		return fault
	}
	r.Conditions = append(r.Conditions,
		Condition{Column: got[0].text, Operator: operator, Value: got[2].text, Nil: got[2].null})
	return nil
}

// operator checks an operator and puts = in the place of one that is missing or empty.
func (r *Request) operator(got leaf) ([]byte, *Fault) {
	switch string(got.text) {
	case "=", "!=", "<", "<=", ">", ">=", "LIKE", "NOT LIKE":
		return got.text, nil
	case "":
		return r.scanner.keep("="), nil
	}
	return nil, clientFault("there is no operator " + quoted(got.text) + "; there are =, !=, <, <=, >, >=, LIKE, NOT LIKE")
}

func (r *Request) field() *Fault {
	got, fault := r.leaves("field", [3]part{{name: "name"}, {name: "value"}})
	switch {
	case fault != nil:
		return fault
	case got[0].null:
		return clientFault("the name of a field must not be nil")
	}
	r.Fields = append(r.Fields, Field{Name: got[0].text, Value: got[1].text, Nil: got[1].null})
	return nil
}

func (r *Request) column() *Fault {
	got, fault := r.leaves("column", [3]part{{name: "name"}, {name: "type"}, {name: "size"}})
	switch {
	case fault != nil:
		return fault
	case got[0].null || got[1].null || got[2].null:
		return clientFault("name, type and size of a column must not be nil")
	}
	size, err := strconv.ParseInt(string(trimBlanks(got[2].text)), 10, 32)
	if err != nil {
		return clientFault("the size of column " + quoted(got[0].text) + " must be a whole number, but it is " +
			quoted(got[2].text))
	}
	r.Columns = append(r.Columns, Column{Name: got[0].text, Type: got[1].text, Size: int(size)})
	return nil
}

// parseBoolean reads an xs:boolean.
func parseBoolean(text []byte) (value, valid bool) {
	switch string(trimBlanks(text)) {
	case "true", "1":
		return true, true
	case "false", "0":
		return false, true
	}
	return false, false
}

func partList(parts [3]part) string {
	var list string
	for _, part := range parts {
		switch {
		case part.name == "":
			continue
		case list != "":
			list += ", "
		}
		list += part.name
		if part.optional {
			list += "?"
		}
	}
	return list
}
