package access

import (
	"net/netip"
	"testing"

	"asterism/internal/failure"
)

// password makes a password of a test.
func password(t testing.TB, text string) Password {
	t.Helper()
	p, err := NewPassword([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// sites are clients of every kind.
func sites(t testing.TB) *Clients {
	t.Helper()
	berlin := Networks{netip.MustParsePrefix("10.1.0.0/16"), netip.MustParsePrefix("2001:db8::/32")}
	c, err := New([]Client{
		{Name: "berlin", Networks: berlin},
		{Name: "oslo", User: "oslo", Password: password(t, "word")},
		{Name: "paris", Networks: Networks{netip.MustParsePrefix("10.2.0.0/16")}, User: "paris", Password: password(t, "mot")},
		{Name: "rome", Certificate: "CN=rome,O=Example"},
		{Name: "wien", Networks: Networks{netip.MustParsePrefix("10.3.0.0/16")}, User: "wien", Password: password(t, "wort"), Certificate: "CN=wien"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestACallerIsTheClientWhosePropertiesAllHold(t *testing.T) {
	c := sites(t)
	f := func(peer, user, password, certificate, name string, refusal Refusal) {
		t.Helper()
		caller := Caller{Peer: netip.MustParseAddr(peer), User: []byte(user), Password: []byte(password)}
		if certificate != "" {
			subject, err := ParseSubject(certificate)
			if err != nil {
				t.Fatal(err)
			}
			caller.Certificate = subject
		}
		if got, why := c.Identify(caller); got != name || why != refusal {
			t.Errorf("%s %s:%s %s is %q, %d; want %q, %d", peer, user, password, certificate, got, why, name, refusal)
		}
	}
	const elsewhere = "192.0.2.1"
	f("10.1.2.3", "", "", "", "berlin", Welcome)
	f("::ffff:10.1.2.3", "", "", "", "berlin", Welcome)
	f("2001:db8::7", "", "", "", "berlin", Welcome)
	f("10.1.2.3", "nobody", "x", "", "berlin", Welcome)
	f(elsewhere, "oslo", "word", "", "oslo", Welcome)
	f("::1", "oslo", "word", "", "oslo", Welcome)
	f("10.2.0.1", "paris", "mot", "", "paris", Welcome)
	f(elsewhere, "", "", "O = Example, CN = rome", "rome", Welcome)
	f("10.3.0.1", "wien", "wort", "CN=wien", "wien", Welcome)

	f(elsewhere, "", "", "", "", PasswordLess)
	f("127.0.0.1", "", "", "", "", PasswordLess)
	f(elsewhere, "oslo", "", "", "", Wrong)
	f(elsewhere, "", "word", "", "", Wrong)
	f(elsewhere, "oslo", "wor", "", "", Wrong)
	f(elsewhere, "oslo", "words", "", "", Wrong)
	f(elsewhere, "oslo", "word\x00", "", "", Wrong)
	f(elsewhere, "Oslo", "word", "", "", Wrong)
	f(elsewhere, "oslo", "mot", "", "", Wrong)
	f(elsewhere, "paris", "mot", "", "", Wrong)
	f(elsewhere, "", "", "CN=rome", "", PasswordLess)
	f(elsewhere, "wien", "wort", "CN=wien", "", Wrong)
	f("10.3.0.1", "wien", "wort", "", "", Wrong)
	f("10.3.0.1", "", "", "CN=wien", "", PasswordLess)
}

func TestWithoutPasswordsNothingThatIsSentHelps(t *testing.T) {
	c, err := New([]Client{{Name: "berlin", Networks: Networks{netip.MustParsePrefix("10.1.0.0/16")}}})
	if err != nil {
		t.Fatal(err)
	}
	caller := Caller{Peer: netip.MustParseAddr("192.0.2.1"), User: []byte("a"), Password: []byte("b")}
	if name, refusal := c.Identify(caller); name != "" || refusal != Unrecognised {
		t.Errorf("it is %q, %d", name, refusal)
	}
	if name, refusal := c.Identify(Caller{}); name != "" || refusal != Unrecognised {
		t.Errorf("a caller of whom nothing is known is %q, %d", name, refusal)
	}
}

func TestClientsThatCanNotBeRecognisedAreRefused(t *testing.T) {
	f := func(client Client, field string) {
		t.Helper()
		client.Name = "oslo"
		_, err := New([]Client{client})
		fault, ok := err.(*failure.Error)
		if !ok || fault.Field != field || fault.Hint == "" {
			t.Errorf("%v, want a fault of %s", err, field)
		}
	}
	f(Client{}, "clients.oslo")
	f(Client{Password: password(t, "x")}, "clients.oslo")
	f(Client{User: "a"}, "clients.oslo.user")
	f(Client{User: string(make([]byte, MaxCredential+1)), Password: password(t, "x")}, "clients.oslo.user")
	f(Client{Certificate: "oslo"}, "clients.oslo.certificate")
}

func TestToRecogniseACallerAllocatesNothing(t *testing.T) {
	c := sites(t)
	header := []byte("Basic d2llbjp3b3J0") // wien:wort
	peer := netip.MustParseAddr("10.3.0.1")
	f := func(header []byte, want Refusal) {
		t.Helper()
		got := testing.AllocsPerRun(100, func() {
			var buffer Buffer
			user, password := Basic(header, &buffer)
			if _, refusal := c.Identify(Caller{Peer: peer, User: user, Password: password, Certificate: `CN="wien"`}); refusal != want {
				t.Errorf("refusal %d, want %d", refusal, want)
			}
		})
		if got != 0 {
			t.Errorf("%v allocations", got)
		}
	}
	f(header, Welcome)
	f([]byte("Basic d2llbjp3b3J1"), Wrong)
	f(nil, PasswordLess)
}

func BenchmarkIdentify(b *testing.B) {
	c := sites(b)
	header, peer := []byte("Basic d2llbjp3b3J0"), netip.MustParseAddr("10.3.0.1")
	b.ReportAllocs()
	for b.Loop() {
		var buffer Buffer
		user, password := Basic(header, &buffer)
		c.Identify(Caller{Peer: peer, User: user, Password: password, Certificate: `CN="wien"`})
	}
}
