package access

import (
	"fmt"

	"asterism/internal/failure"
)

// Client is one who may ask, and how it is recognised. Empty properties are not
// asked for.
type Client struct {
	Name        string
	Networks    Networks
	User        string
	Password    Password
	Certificate string // subject of a certificate, as [ParseSubject] reads it
}

// Clients are all who may ask.
type Clients struct {
	known    []known
	password bool // some client has one
}

// known is a Client in the form that is compared.
type known struct {
	name        string
	networks    Networks
	user        *credential // nil: not asked for
	password    Password
	certificate Subject
}

// New takes the clients in the order in which they are tried.
func New(clients []Client) (*Clients, error) {
	c := &Clients{}
	for _, client := range clients {
		k, err := client.known()
		if err != nil {
			return nil, err
		}
		c.known = append(c.known, k)
		c.password = c.password || k.user != nil
	}
	return c, nil
}

func (c Client) known() (known, error) {
	section := "clients." + c.Name
	k := known{name: c.Name, networks: c.Networks, password: c.Password}
	if len(c.Networks) == 0 && c.User == "" && c.Certificate == "" {
		return known{}, &failure.Error{
			Kind: failure.Invalid, Field: section, Message: section + " names nothing by which it is recognised",
			Hint: "give it networks, a user with a password_file, or a certificate",
		}
	}
	if c.User != "" {
		if len(c.User) > MaxCredential || c.Password.credential == nil {
			return known{}, &failure.Error{
				Kind: failure.Invalid, Field: section + ".user", Message: section + " has a user without a password, or one that is too long",
				Hint: fmt.Sprintf("write at most %d bytes and name a password_file", MaxCredential),
			}
		}
		k.user = newCredential([]byte(c.User))
	}
	if c.Certificate != "" {
		subject, err := ParseSubject(c.Certificate)
		if err != nil {
			return known{}, &failure.Error{
				Kind: failure.Invalid, Field: section + ".certificate", Message: "read the subject of " + section + ".certificate", Cause: err,
				Hint: "write it like CN=berlin, as `openssl x509 -noout -subject -in FILE` shows it",
			}
		}
		k.certificate = subject
	}
	return k, nil
}
