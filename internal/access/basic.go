package access

import (
	"bytes"
	"encoding/base64"
)

// MaxBasic is the longest user and password that are looked at, with the colon
// between them, in bytes.
const MaxBasic = 2*MaxCredential + 1

// basicSpace has room for what decodes to MaxBasic bytes, which base64 gives in
// whole groups of three.
const basicSpace = (MaxBasic + 2) / 3 * 3

// Buffer is the memory that Basic decodes into; its caller keeps it on the stack.
type Buffer [basicSpace]byte

// Basic takes user and password out of the value of an Authorization header (RFC
// 7617). It gives nothing for any other scheme and for what is malformed or too
// long: such a caller has no password. The slices point into the buffer.
func Basic(header []byte, buffer *Buffer) (user, password []byte) {
	const scheme = "basic "
	if len(header) < len(scheme) || !bytes.EqualFold(header[:len(scheme)], []byte(scheme)) {
		return nil, nil
	}
	text := bytes.Trim(header[len(scheme):], " ")
	if base64.StdEncoding.DecodedLen(len(text)) > len(buffer) {
		return nil, nil
	}
	n, err := base64.StdEncoding.Decode(buffer[:], text)
	if err != nil {
		return nil, nil
	}
	user, password, found := bytes.Cut(buffer[:n], []byte(":"))
	if !found {
		return nil, nil
	}
	return user, password
}
