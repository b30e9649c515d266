package access

import "net/netip"

// Caller is what is known of somebody who asks. The slices are only read while
// Identify runs.
type Caller struct {
	Peer        netip.Addr
	User        []byte
	Password    []byte
	Certificate Subject // of a verified certificate; empty without one
}

// Refusal is why a caller is none of the clients.
type Refusal uint8

// What is said to a caller.
const (
	Welcome      Refusal = iota // it is one of the clients
	Unrecognised                // nothing that it could send would help
	PasswordLess                // a user and a password might help, and it sent none
	Wrong                       // what it sent is not right, or not from here
)

// Identify gives the name of the first client that the caller is.
func (c *Clients) Identify(caller Caller) (name string, refusal Refusal) {
	for i := range c.known {
		if c.known[i].is(&caller) {
			return c.known[i].name, Welcome
		}
	}
	switch {
	case !c.password:
		return "", Unrecognised
	case len(caller.User)+len(caller.Password) == 0:
		return "", PasswordLess
	}
	return "", Wrong
}

func (k *known) is(caller *Caller) bool {
	if len(k.networks) > 0 && !k.networks.Contain(caller.Peer) {
		return false
	}
	if k.certificate != "" && k.certificate != caller.Certificate {
		return false
	}
	if k.user == nil {
		return true
	}
	user, password := k.user.equal(caller.User), k.password.credential.equal(caller.Password)
	return user&password == 1
}
