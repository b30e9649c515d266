package test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// ask posts to the curl wire and gives the body.
func ask(client *http.Client, base, path, body string) (string, error) {
	response, err := client.Post("http://"+base+path, "application/x-www-form-urlencoded", strings.NewReader(body))
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return string(text), err
}

// fetch gets a URL and gives the body.
func fetch(t *testing.T, address string) string {
	t.Helper()
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// soapCodecs asks GetCodecs and gives the codecs joined by ",".
func soapCodecs(client *http.Client, base, number string) (string, error) {
	body := `<SOAP-ENV:Envelope xmlns:SOAP-ENV="http://schemas.xmlsoap.org/soap/envelope/"><SOAP-ENV:Body>` +
		`<GetCodecs xmlns="urn:asterism:v1"><number>` + number + `</number></GetCodecs></SOAP-ENV:Body></SOAP-ENV:Envelope>`
	response, err := client.Post("http://"+base+"/soap", "text/xml; charset=utf-8", strings.NewReader(body))
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s: %s: %w", response.Status, text, err)
	}
	var codecs []string
	for _, piece := range strings.Split(string(text), "<codec>")[1:] {
		codec, _, _ := strings.Cut(piece, "</codec>")
		codecs = append(codecs, codec)
	}
	return strings.Join(codecs, ","), nil
}

// field takes one decoded value out of a row on the curl wire.
func field(row, name string) string {
	values, err := url.ParseQuery(strings.TrimSpace(row))
	if err != nil {
		return err.Error()
	}
	return strings.Join(values[name], ";")
}

// digestOf gives the digests that a command or a node states, by family.
func digestOf(t *testing.T, text string) map[string]string {
	t.Helper()
	var list []struct {
		Family string `json:"family"`
		Rows   int    `json:"rows"`
		Hash   string `json:"hash"`
	}
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		t.Fatalf("%v in %.300s", err, text)
	}
	out := make(map[string]string, len(list))
	for _, d := range list {
		out[d.Family] = fmt.Sprintf("%d rows %s", d.Rows, d.Hash)
	}
	return out
}
