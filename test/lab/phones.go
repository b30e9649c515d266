package lab

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Phones are endpoints with auth and aor of one name, from First on.
type Phones struct {
	First, Count int
	Context      string // default "phones"
	Qualify      int    // qualify_frequency of the aor, seconds
	Mailboxes    string // voicemail context of a mailbox for each; "": none
}

func (p Phones) context() string {
	if p.Context == "" {
		return "phones"
	}
	return p.Context
}

// Part is some of them: count from the i-th on.
func (p Phones) Part(i, count int) Phones {
	p.First, p.Count = p.First+i, count
	return p
}

// Name is the i-th phone's.
func (p Phones) Name(i int) string { return strconv.Itoa(p.First + i) }

func secret(name string) string { return "secret-" + name }

// Load puts them into a store.
func (p Phones) Load(t T, h *Home) {
	t.Helper()
	families := p.Rows()
	for _, family := range []string{"ps_aors", "ps_auths", "ps_endpoints"} {
		h.Load(t, family, families[family])
	}
}

// Rows are the rows of each family; the first names the columns.
func (p Phones) Rows() map[string][][]string {
	aors := [][]string{{"id", "max_contacts", "remove_existing", "minimum_expiration", "qualify_frequency"}}
	auths := [][]string{{"id", "auth_type", "username", "password"}}
	endpoints := [][]string{{"id", "transport", "aors", "auth", "context", "disallow", "allow", "direct_media", "mailboxes"}}
	for i := range p.Count {
		name := p.Name(i)
		aors = append(aors, []string{name, "1", "yes", "1", strconv.Itoa(p.Qualify)})
		auths = append(auths, []string{name, "userpass", name, secret(name)})
		endpoints = append(endpoints, []string{name, "transport-udp", name, name, p.context(), "all", "ulaw,alaw,g722", "no", p.mailbox(name)})
	}
	return map[string][][]string{"ps_aors": aors, "ps_auths": auths, "ps_endpoints": endpoints}
}

// mailbox is that of a phone; none is an empty value, which stands for no value.
func (p Phones) mailbox(name string) string {
	if p.Mailboxes == "" {
		return ""
	}
	return name + "@" + p.Mailboxes
}

// File is the same as a pjsip.conf without transport.
func (p Phones) File() string {
	var text strings.Builder
	for i := range p.Count {
		name := p.Name(i)
		fmt.Fprintf(&text, "[%s]\ntype = aor\nmax_contacts = 1\nremove_existing = yes\nminimum_expiration = 1\nqualify_frequency = %d\n", name, p.Qualify)
		fmt.Fprintf(&text, "[%s]\ntype = auth\nauth_type = userpass\nusername = %s\npassword = %s\n", name, name, secret(name))
		fmt.Fprintf(&text, "[%s]\ntype = endpoint\ntransport = transport-udp\naors = %s\nauth = %s\ncontext = %s\ndisallow = all\nallow = ulaw,alaw,g722\ndirect_media = no\n", name, name, name, p.context())
	}
	return text.String()
}

// Lines are what SIPp reads of each phone: its name, its credentials, and a third
// field: the URI of its contact at port for register, a number for call.
func (p Phones) Lines(third func(name string) string) [][]string {
	lines := make([][]string, 0, p.Count)
	for i := range p.Count {
		name := p.Name(i)
		lines = append(lines, []string{name, fmt.Sprintf("[authentication username=%s password=%s]", name, secret(name)), third(name)})
	}
	return lines
}

// Register registers them all for so many seconds, with contacts at a port of
// 127.0.0.1; 0 seconds unregister.
func (p Phones) Register(t T, a *Asterisk, port, seconds, inFlight int) Calls {
	t.Helper()
	return p.Registering(a, port, seconds, inFlight).Run(t)
}

// Registering is the run of SIPp that does so.
func (p Phones) Registering(a *Asterisk, port, seconds, inFlight int) SIPp {
	return SIPp{
		Scenario: "register", To: a.SIP, Calls: p.Count, InFlight: inFlight, Keys: map[string]string{"expires": strconv.Itoa(seconds)},
		Lines:   p.Lines(func(name string) string { return fmt.Sprintf("sip:%s@127.0.0.1:%d", name, port) }),
		Timeout: 20*time.Second + time.Duration(p.Count)*30*time.Millisecond,
	}
}
