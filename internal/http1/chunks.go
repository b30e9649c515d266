package http1

import "bytes"

// chunks puts a body together that comes in chunks (RFC 9112, 7.1), in place.
type chunks struct {
	read, write int // what comes next, and where it goes
	left        int // bytes of the chunk that is being read
	state       chunkState
	trailer     int // bytes of trailer fields so far
}

type chunkState uint8

const (
	chunkSize chunkState = iota
	chunkData
	chunkEnd
	chunkTrailer
)

// maxSizeLine bounds the line before a chunk, extensions included.
const maxSizeLine = 256

// take goes as far as data does and tells whether the body is whole. most bounds
// write; trailer fields are read and forgotten.
func (c *chunks) take(data []byte, most, mostTrailer int) (whole bool, refusal *Refusal) {
	for {
		if c.state == chunkData {
			n := min(c.left, len(data)-c.read)
			copy(data[c.write:], data[c.read:c.read+n])
			c.write, c.read, c.left = c.write+n, c.read+n, c.left-n
			if c.left > 0 {
				return false, nil
			}
			c.state = chunkEnd
		}
		length := bytes.IndexByte(data[c.read:], '\n')
		if length < 0 {
			switch pending := len(data) - c.read; {
			case c.state == chunkTrailer && c.trailer+pending > mostTrailer:
				return false, HeaderTooLarge
			case c.state != chunkTrailer && pending > maxSizeLine:
				return false, Malformed
			}
			return false, nil
		}
		if length == 0 || data[c.read+length-1] != '\r' {
			return false, Malformed // others might read such a line as part of a chunk
		}
		line := data[c.read : c.read+length-1]
		c.read += length + 1
		if whole, refusal := c.line(line, most, mostTrailer); whole || refusal != nil {
			return whole, refusal
		}
	}
}

// line reads a line between chunks or after the last one.
func (c *chunks) line(line []byte, most, mostTrailer int) (whole bool, refusal *Refusal) {
	switch c.state {
	case chunkEnd:
		if len(line) > 0 {
			return false, Malformed
		}
		c.state = chunkSize
	case chunkSize:
		size, ok := sizeOf(line)
		switch {
		case !ok:
			return false, Malformed
		case size > most-c.write:
			return false, BodyTooLarge
		}
		c.left, c.state = size, chunkData
		if size == 0 {
			c.state = chunkTrailer
		}
	case chunkTrailer:
		if len(line) == 0 {
			return true, nil
		}
		if c.trailer += len(line) + 2; c.trailer > mostTrailer {
			return false, HeaderTooLarge
		}
	}
	return false, nil
}

// sizeOf reads the hexadecimal size before a chunk; extensions behind ; are ignored.
func sizeOf(line []byte) (size int, ok bool) {
	digits, _, _ := bytes.Cut(line, []byte(";"))
	digits = trim(digits)
	if len(digits) == 0 || len(digits) > 15 || len(line) > maxSizeLine {
		return 0, false
	}
	for _, c := range digits {
		digit := 0
		switch {
		case '0' <= c && c <= '9':
			digit = int(c - '0')
		case 'a' <= c && c <= 'f':
			digit = int(c-'a') + 10
		case 'A' <= c && c <= 'F':
			digit = int(c-'A') + 10
		default:
			return 0, false
		}
		size = size<<4 | digit
	}
	return size, true
}
