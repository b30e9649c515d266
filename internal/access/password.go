package access

import (
	"bytes"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"asterism/internal/failure"
)

// MaxCredential is the longest user name, and the longest password, in bytes.
const MaxCredential = 128

// Password is a secret that is compared and never shown. The zero value is no
// password.
type Password struct{ credential *credential }

// String keeps the password out of logs and errors.
func (Password) String() string { return "[secret]" }

// GoString keeps the password out of %#v too.
func (Password) GoString() string { return "[secret]" }

// NewPassword takes a password of 1 to MaxCredential bytes.
func NewPassword(text []byte) (Password, error) {
	switch {
	case len(text) == 0:
		return Password{}, errors.New("it is empty")
	case len(text) > MaxCredential:
		return Password{}, fmt.Errorf("it is longer than %d bytes", MaxCredential)
	case bytes.ContainsAny(text, "\r\n\x00"):
		return Password{}, errors.New("it has more than one line")
	}
	return Password{newCredential(text)}, nil
}

// ReadPassword reads the one line of a password file; setting is the key that
// names the file.
func ReadPassword(setting, path string) (Password, error) {
	refused := &failure.Error{
		Kind: failure.Invalid, Field: setting, Message: "read the password in " + path + ", which " + setting + " names",
		Hint: "write the password as its only line, and let only the user of asterism read it: chmod 600 " + path,
	}
	text, err := head(path)
	if err != nil {
		refused.Cause = err
		return Password{}, refused
	}
	line := bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r"))
	password, err := NewPassword(line)
	if err != nil {
		refused.Cause = err
		return Password{}, refused
	}
	return password, nil
}

// head reads no more of a file than shows that it is too long.
func head(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		var known *fs.PathError
		if errors.As(err, &known) {
			return nil, known.Err // the message names the file
		}
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, MaxCredential+3))
}

// credential is a user or password in a form whose comparison takes the same
// time whatever it is compared with.
type credential struct {
	padded [MaxCredential]byte
	length int32
}

func newCredential(text []byte) *credential {
	c := &credential{length: int32(len(text))}
	copy(c.padded[:], text)
	return c
}

// equal gives 1 for the same bytes, else 0.
func (c *credential) equal(given []byte) int {
	var padded [MaxCredential]byte
	copy(padded[:], given)
	return subtle.ConstantTimeCompare(c.padded[:], padded[:]) & subtle.ConstantTimeEq(c.length, int32(len(given)))
}
