package soap

import (
	_ "embed"
	"strings"
)

// description is the WSDL with the address of a node that runs with the default settings.
//
//go:embed asterism.wsdl
var description string

// addressInDescription is what stands in the place of the address that a client is to use.
const addressInDescription = "http://127.0.0.1:8640/soap"

// WSDLContentType is the header that goes with the WSDL.
const WSDLContentType = "text/xml; charset=utf-8"

// AppendWSDL appends the WSDL in which both ports are at address, a URL that ends in /soap.
func AppendWSDL(dst []byte, address string) []byte {
	before, rest, found := strings.Cut(description, addressInDescription)
	for found {
		dst = append(dst, before...)
		dst = appendText(dst, address)
		before, rest, found = strings.Cut(rest, addressInDescription)
	}
	return append(dst, before...)
}
