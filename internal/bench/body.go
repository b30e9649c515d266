package bench

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
)

// readBody sets frame.close when the body ends with the connection.
func readBody(reader *bufio.Reader, body []byte, status int, frame *framing) ([]byte, error) {
	switch {
	case status == 204 || status == 304:
		return body, nil
	case frame.chunked:
		return readChunks(reader, body)
	case frame.length >= 0:
		return readBytes(reader, body, frame.length)
	}
	frame.close = true
	return readToEnd(reader, body)
}

func readChunks(reader *bufio.Reader, body []byte) ([]byte, error) {
	for {
		line, err := readLine(reader)
		if err != nil {
			return nil, unexpected(err)
		}
		size, err := parseChunkSize(line)
		if err != nil {
			return nil, err
		}
		if size == 0 {
			return body, skipTrailers(reader)
		}
		if len(body)+size > maxResponseBody {
			return nil, errTooLong()
		}
		if body, err = readBytes(reader, body, size); err != nil {
			return nil, err
		}
		line, err = readLine(reader)
		if err != nil {
			return nil, unexpected(err)
		}
		if len(line) != 0 {
			return nil, errors.New("response chunk is longer than it says")
		}
	}
}

func skipTrailers(reader *bufio.Reader) error {
	for range maxHeaders {
		line, err := readLine(reader)
		if err != nil {
			return unexpected(err)
		}
		if len(line) == 0 {
			return nil
		}
	}
	return fmt.Errorf("response has more than %d trailers", maxHeaders)
}

func readBytes(reader *bufio.Reader, body []byte, count int) ([]byte, error) {
	old := len(body)
	body = slices.Grow(body, count)[:old+count]
	_, err := io.ReadFull(reader, body[old:])
	return body, unexpected(err)
}

func readToEnd(reader *bufio.Reader, body []byte) ([]byte, error) {
	for {
		body = slices.Grow(body, 512)
		count, err := reader.Read(body[len(body):cap(body)])
		body = body[:len(body)+count]
		switch {
		case len(body) > maxResponseBody:
			return nil, errTooLong()
		case err == io.EOF:
			return body, nil
		case err != nil:
			return nil, err
		}
	}
}

// parseChunkSize reads hexadecimal digits up to an extension, which is ignored.
func parseChunkSize(line []byte) (int, error) {
	digits, _, _ := bytes.Cut(line, []byte{';'})
	digits = bytes.TrimSpace(digits)
	size := 0
	for _, c := range digits {
		digit := hexDigit(c)
		if digit < 0 || len(digits) > 7 {
			return 0, fmt.Errorf("response chunk size %q is no hexadecimal number up to %x", excerpt(digits), maxResponseBody)
		}
		size = size<<4 | digit
	}
	if len(digits) == 0 {
		return 0, errors.New("response chunk size is missing")
	}
	return size, nil
}

func errTooLong() error {
	return fmt.Errorf("response is longer than %d bytes", maxResponseBody)
}
