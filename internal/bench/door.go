package bench

import "fmt"

// door is one protocol: how to ask for the codecs of a number, and how to read
// them out of an answer. Its methods run once per request and append to what
// they are given, so that asking allocates nothing.
type door interface {
	// suffix is what the door appends to the path of a plan's URL.
	suffix() string
	// headers are the request's header lines other than Host, Connection and
	// Content-Length, each with its line end.
	headers() string
	appendBody(body []byte, number string) []byte
	// appendCodecs appends the codecs in the answer, joined by commas.
	appendCodecs(list, answer []byte) []byte
}

func newDoor(name string) (door, error) {
	switch name {
	case "soap":
		return soap{}, nil
	case "curl":
		return curl{}, nil
	}
	return nil, fmt.Errorf("door: %q is unknown; it is soap or curl", name)
}
