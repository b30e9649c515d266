package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// wire is one way to ask for the codecs of a number.
type wire struct {
	name        string
	path        string
	contentType string
	action      string // SOAPAction; none when empty
	head, tail  string // of the body, around the number
	codecs      func(answer string) string
}

// soapWire asks as a client made with gSOAP does.
func soapWire() wire {
	return wire{
		name: "SOAP", path: "/soap", contentType: "text/xml; charset=utf-8", action: "urn:asterism:v1#GetCodecs",
		head: `<?xml version="1.0" encoding="UTF-8"?>` + "\n" +
			`<SOAP-ENV:Envelope xmlns:SOAP-ENV="http://schemas.xmlsoap.org/soap/envelope/"` +
			` xmlns:SOAP-ENC="http://schemas.xmlsoap.org/soap/encoding/"` +
			` xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"` +
			` xmlns:ns1="urn:asterism:v1"><SOAP-ENV:Body><ns1:GetCodecs><ns1:number>`,
		tail:   `</ns1:number></ns1:GetCodecs></SOAP-ENV:Body></SOAP-ENV:Envelope>`,
		codecs: soapCodecs,
	}
}

// curlWire asks as res_config_curl does.
func curlWire() wire {
	return wire{
		name: "curl wire", path: "/rt/numbers/single", contentType: "application/x-www-form-urlencoded",
		head: "number=", tail: "&tenant=", codecs: curlCodecs,
	}
}

var codecElement = regexp.MustCompile(`<(?:\w+:)?codec>([^<]*)<`)

func soapCodecs(answer string) string {
	var codecs []string
	for _, found := range codecElement.FindAllStringSubmatch(answer, -1) {
		codecs = append(codecs, found[1])
	}
	return strings.Join(codecs, ",")
}

func curlCodecs(answer string) string {
	fields, err := url.ParseQuery(answer)
	if err != nil {
		return err.Error()
	}
	return fields.Get("codecs")
}

// ask asks for one number and returns the body of the answer.
func (w wire) ask(address string, number int) (string, error) {
	request, err := http.NewRequest(http.MethodPost, "http://"+address+w.path, bytes.NewReader(w.body(number)))
	if err != nil {
		return "", err
	}
	request.Header.Set("Content-Type", w.contentType)
	if w.action != "" {
		request.Header.Set("SOAPAction", `"`+w.action+`"`)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("ask %s for %d: status %d: %.200s", address, number, response.StatusCode, answer)
	}
	return string(answer), err
}

func (w wire) body(number int) []byte {
	return fmt.Appendf(nil, "%s%d%s", w.head, number, w.tail)
}
