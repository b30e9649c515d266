package asterisk

import (
	"crypto/md5"
	"encoding/hex"
	"os"
	"regexp"
	"strings"
	"testing"

	"asterism/test/lab"
)

// digest is the MD5 that stands for a password in ps_auths, for the realm that
// Asterisk has unless told otherwise.
func digest(name, password string) string {
	sum := md5.Sum([]byte(name + ":asterisk:" + password))
	return hex.EncodeToString(sum[:])
}

// TestPhoneIsWhatItsRowsSay: endpoint, auth and aor are rows; where the phone is becomes
// a row of ps_contacts when it registers, changes with a refresh and goes when it leaves.
func TestPhoneIsWhatItsRowsSay(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, release lab.Release) {
		home := lab.NewHome(t)
		phones := lab.Phones{First: 6001, Count: 4}
		phones.Load(t, home)
		home.Run(t, "set", "ps_endpoints", "6001", "callerid=Ann Example <6001>", "set_var=floor=3;room=12")
		home.Run(t, "set", "ps_auths", "6002", "auth_type=md5", "password=", "md5_cred="+digest("6002", "secret-6002"))
		home.Run(t, "set", "ps_auths", "6003", "password=another")
		if release.Is(lab.Asterisk22) { // the way of today
			home.Run(t, "set", "ps_auths", "6004", "auth_type=digest", "password=", "password_digest=MD5:"+digest("6004", "secret-6004"))
		}
		node := home.Serve(t)
		a := release.Start(t, lab.Settings{Name: "center", Node: node.Asterisk, Families: lab.PJSIP, Files: map[string]string{
			"sorcery.conf":    lab.Sorcery,
			"extensions.conf": onPhones("exten => me,1,Set(GLOBAL(caller)=${CALLERID(all)}, ${floor}, ${room})", "same => n,Hangup(17)"),
		}})
		registers := func(i, seconds int) {
			t.Helper()
			if got := phones.Part(i, 1).Register(t, a, 5998, seconds, 1); got.Good != 1 {
				t.Errorf("%s: does not register: %s\n%s", phones.Name(i), got.Errors, got.Messages)
			}
		}
		const contacts = "SELECT substr(id, 1, 8), uri, endpoint, reg_server, user_agent, expiration_time - strftime('%s', 'now') BETWEEN "
		registers(0, 600)
		sqlIs(t, home, contacts+"500 AND 600 FROM ps_contacts", "6001^3B@|sip:6001@127.0.0.1:5998|6001|center|lab|1")
		if got := a.CLI(t, "pjsip show contacts"); !strings.Contains(got, "6001/sip:6001@127.0.0.1:5998") {
			t.Errorf("contacts: %s", got)
		}
		registers(0, 3000)
		sqlIs(t, home, contacts+"2900 AND 3000 FROM ps_contacts", "6001^3B@|sip:6001@127.0.0.1:5998|6001|center|lab|1")
		registers(1, 600)
		registers(3, 600)
		sqlIs(t, home, "SELECT endpoint FROM ps_contacts ORDER BY endpoint", "6001\n6002\n6004")
		registers(0, 0)
		sqlIs(t, home, "SELECT endpoint FROM ps_contacts ORDER BY endpoint", "6002\n6004")
		wrong := phones.Part(2, 1).Registering(a, 5998, 600, 1)
		wrong.Scenario = registersInVain(t)
		if got := wrong.Run(t); got.Good != 1 {
			t.Errorf("a wrong password is not refused: %s\n%s", got.Errors, got.Messages)
		}
		home.Run(t, "set", "ps_auths", "6003", "password=secret-6003")
		registers(2, 600)
		sqlIs(t, home, "SELECT count(*) FROM ps_contacts WHERE endpoint = '6003'", "1")

		lab.SIPp{
			Scenario: "call", To: a.SIP, Calls: 1, Keys: map[string]string{"payloads": "0", "pause": "50"},
			Lines: phones.Part(0, 1).Lines(func(string) string { return "me" }),
		}.Run(t)
		globalIs(t, a, "caller", `"Ann Example" <6001>, 3, 12`)
		shown := a.CLI(t, "pjsip show endpoint 6002")
		for _, want := range []string{"InAuth:  6002", "Aor:  6002", `allow +: \(ulaw\|alaw\|g722\)`, "Contact:  6002/sip:6002@127.0.0.1:5998"} {
			if !regexp.MustCompile(want).MatchString(shown) {
				t.Errorf("endpoint 6002 has no %q: %s", want, shown)
			}
		}
		quiet(t, a)
		quietNode(t, node)
	})
}

// registersInVain is the scenario "register" of a phone that is refused although it
// gave a password.
func registersInVain(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../lab/scenarios/register.xml")
	if err != nil {
		t.Fatal(err)
	}
	before, _, found := strings.Cut(string(text), `  <recv response="401" optional="true"/>`)
	if !found {
		t.Fatal("the scenario register does not end as it did")
	}
	return before + `  <recv response="401" timeout="5000" rtd="1"/>` + "\n</scenario>\n"
}
