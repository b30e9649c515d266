package bench

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// Limits of a response. An answer is a few hundred bytes; a server that sends
// more than this is not the one that was meant to be measured.
const (
	maxHeaderLine   = 4 << 10
	maxHeaders      = 100
	maxResponseBody = 1 << 20
)

// response is one HTTP/1.1 response.
type response struct {
	status int
	body   []byte // valid until the next response is read
	close  bool   // the server ends the connection after it
}

// framing is what a response's headers say about where its body ends.
type framing struct {
	length  int // -1 when not given
	chunked bool
	close   bool
}

// readResponse reads one response and no byte more. body is room to reuse.
// Interim responses (1xx) are skipped.
func readResponse(reader *bufio.Reader, body []byte) (response, error) {
	for {
		status, frame, err := readHead(reader)
		if err != nil {
			return response{}, err
		}
		if 100 <= status && status < 200 {
			continue
		}
		body, err := readBody(reader, body[:0], status, &frame)
		if err != nil {
			return response{}, err
		}
		return response{status: status, body: body, close: frame.close}, nil
	}
}

func readHead(reader *bufio.Reader) (int, framing, error) {
	line, err := readLine(reader)
	if err != nil {
		return 0, framing{}, err
	}
	status, old, err := parseStatus(line)
	if err != nil {
		return 0, framing{}, err
	}
	frame := framing{length: -1, close: old}
	for range maxHeaders {
		line, err := readLine(reader)
		if err != nil {
			return 0, framing{}, unexpected(err)
		}
		if len(line) == 0 {
			return status, frame, nil
		}
		if err := frame.apply(line); err != nil {
			return 0, framing{}, err
		}
	}
	return 0, framing{}, fmt.Errorf("response has more than %d headers", maxHeaders)
}

// parseStatus reads "HTTP/1.1 200 OK"; old is HTTP/1.0, which closes unless it
// says otherwise.
func parseStatus(line []byte) (status int, old bool, err error) {
	rest, found := bytes.CutPrefix(line, []byte("HTTP/1."))
	if !found || len(rest) < 5 || rest[1] != ' ' || (len(rest) > 5 && rest[5] != ' ') {
		return 0, false, fmt.Errorf("%q is no HTTP/1.1 status line; is this an HTTP server?", excerpt(line))
	}
	status, found = parseDigits(rest[2:5])
	if !found || status < 100 {
		return 0, false, fmt.Errorf("%q is no HTTP status", rest[2:5])
	}
	return status, rest[0] == '0', nil
}

// apply takes in one header line.
func (f *framing) apply(line []byte) error {
	name, value, found := bytes.Cut(line, []byte{':'})
	if !found {
		return fmt.Errorf("response header %q has no colon", excerpt(line))
	}
	value = bytes.TrimSpace(value)
	switch {
	case bytes.EqualFold(name, []byte("Content-Length")):
		length, found := parseDigits(value)
		if !found || length > maxResponseBody {
			return fmt.Errorf("response length %q is not between 0 and %d", excerpt(value), maxResponseBody)
		}
		f.length = length
	case bytes.EqualFold(name, []byte("Transfer-Encoding")):
		f.chunked = bytes.EqualFold(value, []byte("chunked"))
		if !f.chunked {
			return fmt.Errorf("response transfer encoding %q is not chunked", excerpt(value))
		}
	case bytes.EqualFold(name, []byte("Connection")):
		f.close = bytes.EqualFold(value, []byte("close")) ||
			f.close && !bytes.EqualFold(value, []byte("keep-alive"))
	}
	return nil
}

// readLine returns a line without its end, valid until the next read.
func readLine(reader *bufio.Reader) ([]byte, error) {
	line, err := reader.ReadSlice('\n')
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		return nil, fmt.Errorf("response line is longer than %d bytes", maxHeaderLine)
	case err == io.EOF && len(line) > 0:
		return nil, io.ErrUnexpectedEOF
	case err != nil:
		return nil, err
	}
	return bytes.TrimSuffix(line[:len(line)-1], []byte{'\r'}), nil
}

// unexpected is the error of an end inside a response.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

func parseDigits(text []byte) (int, bool) {
	if len(text) == 0 || len(text) > 9 {
		return 0, false
	}
	number := 0
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		number = number*10 + int(c-'0')
	}
	return number, true
}

// excerpt keeps an error text on one screen line.
func excerpt(text []byte) []byte {
	const enough = 200
	return text[:min(len(text), enough)]
}
