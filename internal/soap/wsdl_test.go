package soap

import (
	"encoding/xml"
	"strings"
	"testing"
)

// wsdlElement is an element of the schema; a named type or an anonymous one.
type wsdlElement struct {
	Name     string        `xml:"name,attr"`
	Type     string        `xml:"type,attr"`
	Min      string        `xml:"minOccurs,attr"`
	Max      string        `xml:"maxOccurs,attr"`
	Nillable string        `xml:"nillable,attr"`
	Children []wsdlElement `xml:"complexType>sequence>element"`
}

type wsdlBody struct {
	XMLName xml.Name
	Use     string `xml:"use,attr"`
}

type wsdlDocument struct {
	Schema struct {
		Form     string        `xml:"elementFormDefault,attr"`
		Elements []wsdlElement `xml:"element"`
		Types    []struct {
			Name     string        `xml:"name,attr"`
			Children []wsdlElement `xml:"sequence>element"`
		} `xml:"complexType"`
	} `xml:"types>schema"`
	Messages []struct {
		Name string `xml:"name,attr"`
		Part struct {
			Element string `xml:"element,attr"`
		} `xml:"part"`
	} `xml:"message"`
	Operations []struct {
		Name  string `xml:"name,attr"`
		Input struct {
			Message string `xml:"message,attr"`
		} `xml:"input"`
		Output struct {
			Message string `xml:"message,attr"`
		} `xml:"output"`
	} `xml:"portType>operation"`
	Bindings []struct {
		Name    string `xml:"name,attr"`
		Binding struct {
			XMLName xml.Name
			Style   string `xml:"style,attr"`
		} `xml:"binding"`
		Operations []struct {
			Name      string `xml:"name,attr"`
			Operation struct {
				XMLName xml.Name
				Action  string `xml:"soapAction,attr"`
			} `xml:"operation"`
			Input  wsdlBody `xml:"input>body"`
			Output wsdlBody `xml:"output>body"`
		} `xml:"operation"`
	} `xml:"binding"`
	Ports []struct {
		Binding string `xml:"binding,attr"`
		Address struct {
			XMLName  xml.Name
			Location string `xml:"location,attr"`
		} `xml:"address"`
	} `xml:"service>port"`
}

func readWSDL(t *testing.T, address string) wsdlDocument {
	t.Helper()
	var document wsdlDocument
	if err := xml.Unmarshal(AppendWSDL(nil, address), &document); err != nil {
		t.Fatal(err)
	}
	return document
}

// sequence writes elements as contracts do: name:type with ? + * for how often, and | nil where it may be nil.
func sequence(elements []wsdlElement) string {
	var list []string
	for _, e := range elements {
		often := map[string]string{"/": "", "0/": "?", "/unbounded": "+", "0/unbounded": "*"}[e.Min+"/"+e.Max]
		if e.Nillable == "true" {
			often += "|nil"
		}
		list = append(list, e.Name+often+":"+e.Type[strings.IndexByte(e.Type, ':')+1:])
	}
	return strings.Join(list, " ")
}

func TestWSDLHoldsTheContract(t *testing.T) {
	document := readWSDL(t, "http://node/soap")
	if document.Schema.Form != "qualified" {
		t.Error("the WSDL is not of qualified elements")
	}
	got := map[string]string{}
	for _, e := range document.Schema.Elements {
		got[e.Name] = sequence(e.Children)
	}
	for _, e := range document.Schema.Types {
		got[e.Name] = sequence(e.Children)
	}
	f := func(name, want string) {
		t.Helper()
		if got[name] != want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got[name], want)
		}
		delete(got, name)
	}
	const head = "instance:string revision:unsignedLong"
	f("GetCodecs", "number:string tenant?:string")
	f("GetCodecsResponse", head+" codec*:string")
	f("LookupNumber", "number:string tenant?:string")
	f("LookupNumberResponse", head+" entry?:Entry")
	f("RealtimeSingle", "family:string condition*:Condition")
	f("RealtimeSingleResponse", head+" row?:Row")
	f("RealtimeMulti", "family:string condition*:Condition")
	f("RealtimeMultiResponse", head+" row*:Row")
	f("RealtimeUpdate", "family:string condition+:Condition field+:Field")
	f("RealtimeUpdateResponse", head+" count:int")
	f("RealtimeStore", "family:string field+:Field")
	f("RealtimeStoreResponse", head+" count:int")
	f("RealtimeDestroy", "family:string condition+:Condition")
	f("RealtimeDestroyResponse", head+" count:int")
	f("RealtimeRequire", "family:string column*:Column")
	f("RealtimeRequireResponse", head+" ok:boolean")
	f("RealtimeStatic", "file:string")
	f("RealtimeStaticResponse", head+" line*:Line")
	f("Watch", "instance?:string revision?:unsignedLong family*:string")
	f("WatchResponse", head+" reset:boolean family*:Family change*:Change")
	f("Family", "name:string alias*:string key*:string listing:string")
	f("Change", "family:string key*:string")
	f("Entry", "number:string tenant:string codec*:string destination?:string enabled:boolean note?:string")
	f("Row", "field*:Field")
	f("Field", "name:string value|nil:string")
	f("Condition", "column:string operator?:string value|nil:string")
	f("Column", "name:string type:string size:int")
	f("Line", "category:string var_name:string var_val:string cat_metric:int")
	if len(got) > 0 {
		t.Errorf("the WSDL has more than the contract: %v", got)
	}
}

// TestWSDLAndOperationsAgree compares the WSDL with what the parser takes and the action that it wants.
func TestWSDLAndOperationsAgree(t *testing.T) {
	document := readWSDL(t, "http://node/soap")
	if n := int(afterLastOperation) - 1; len(document.Operations) != n {
		t.Fatalf("%d operations, of which the WSDL has %d", n, len(document.Operations))
	}
	elements := map[string]string{}
	for _, e := range document.Schema.Elements {
		var names []string
		for _, child := range e.Children {
			often := map[string]string{"/": "", "0/": "?", "/unbounded": "+", "0/unbounded": "*"}[child.Min+"/"+child.Max]
			names = append(names, child.Name+often)
		}
		elements[e.Name] = strings.Join(names, ", ")
	}
	messages := map[string]string{}
	for _, m := range document.Messages {
		messages["tns:"+m.Name] = m.Part.Element
	}
	for op := NoOperation + 1; op < afterLastOperation; op++ {
		if got, want := elements[op.String()], op.signature().String(); got != want {
			t.Errorf("%s: the WSDL has %s, the parser takes %s", op, got, want)
		}
		operation := document.Operations[op-1]
		if operation.Name != op.String() || messages[operation.Input.Message] != "tns:"+op.String() ||
			messages[operation.Output.Message] != "tns:"+op.String()+"Response" {
			t.Errorf("%s: the WSDL has %+v", op, operation)
		}
	}
}

// TestWSDLBindsBothVersions alike, SOAP 1.1 first: toolkits that take one binding take the first.
func TestWSDLBindsBothVersions(t *testing.T) {
	document := readWSDL(t, "http://node/soap")
	if len(document.Bindings) != 2 || len(document.Ports) != 2 {
		t.Fatalf("%d bindings, %d ports", len(document.Bindings), len(document.Ports))
	}
	for i, namespace := range []string{"http://schemas.xmlsoap.org/wsdl/soap/", "http://schemas.xmlsoap.org/wsdl/soap12/"} {
		binding, port := document.Bindings[i], document.Ports[i]
		if binding.Binding.XMLName.Space != namespace || port.Address.XMLName.Space != namespace ||
			binding.Binding.Style != "document" || port.Binding != "tns:"+binding.Name {
			t.Errorf("%s: binding %+v, port %+v", namespace, binding.Binding, port)
		}
		if n := int(afterLastOperation) - 1; len(binding.Operations) != n {
			t.Fatalf("%s binds %d of %d operations", namespace, len(binding.Operations), n)
		}
		for op := NoOperation + 1; op < afterLastOperation; op++ {
			bound := binding.Operations[op-1]
			in, out := bound.Input, bound.Output
			if bound.Name != op.String() || bound.Operation.XMLName.Space != namespace || in != out ||
				in.XMLName.Space != namespace || in.Use != "literal" {
				t.Errorf("%s: %s is bound as %+v", namespace, op, bound)
			}
			if fault := CheckAction([]byte(bound.Operation.Action), op); fault != nil || bound.Operation.Action == "" {
				t.Errorf("%s: action %q: %v", op, bound.Operation.Action, fault)
			}
		}
	}
}

func TestWSDLNamesTheAddress(t *testing.T) {
	f := func(address string) {
		t.Helper()
		for _, port := range readWSDL(t, address).Ports {
			if got := port.Address.Location; got != address {
				t.Errorf("%s: got %s, want %s", port.Binding, got, address)
			}
		}
	}
	f("http://127.0.0.1:8640/soap")
	f("https://dir.example.net/soap")
	f(`http://[::1]:8640/soap?a=1&b="><x/>`)
	if strings.Count(description, `location="`+addressInDescription+`"`) != 2 ||
		strings.Count(description, addressInDescription) != 2 {
		t.Error("asterism.wsdl must hold the default address once for each port")
	}
}
