package asterisk

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"asterism/test/lab"
)

// day is what a thousand phones do in this test, on realtime and, to compare what
// Asterisk complains about, on files.
type day struct {
	*lab.Asterisk
	phones   lab.Phones
	contacts func(t *testing.T, where string) int // how many contacts there are; where is SQL, empty: all
}

const dialPhones = "exten => _XXXXX,1,Dial(PJSIP/${EXTEN},20)"

func TestAThousandPhonesRegisterRefreshAreCalledUnregisterAndExpire(t *testing.T) {
	onEach(t, func(t *testing.T, release lab.Release) {
		phones := lab.Phones{First: 20000, Count: 1000}
		home := lab.NewHome(t)
		phones.Load(t, home)
		home.Run(t, "set", "ps_globals", "global", "contact_expiration_check_interval=3")
		node := home.Serve(t)
		files, sip := kit(t, release, node)
		files["extensions.conf"] = onPhones(dialPhones)
		realtime := day{Asterisk: release.Start(t, lab.Settings{SIP: sip, Files: files}), phones: phones, contacts: func(t *testing.T, where string) int {
			n, err := strconv.Atoi(home.SQL(t, "select count(*) from ps_contacts "+where))
			if err != nil {
				t.Fatal(err)
			}
			return n
		}}
		realtime.live(t)
		quiet(t, realtime.Asterisk)
		quietNode(t, node)

		port := lab.FreePort(t)
		onFiles := day{Asterisk: release.Start(t, lab.Settings{SIP: port, Files: map[string]string{
			"pjsip.conf":      lab.Transport(port) + "[global]\ntype = global\ncontact_expiration_check_interval = 3\n" + phones.File(),
			"extensions.conf": onPhones(dialPhones),
		}}), phones: phones}
		onFiles.live(t)
		alsoOnFiles(t, realtime.Asterisk, onFiles.Asterisk)
	})
}

// live is the day. Every step is checked by what SIPp hears; where the contacts
// are in SQL, they are counted there.
func (d day) live(t *testing.T) {
	t.Helper()
	phone := lab.SIPp{Scenario: "answer", InFlight: 1000, Keys: map[string]string{"payloads": "0"}, Timeout: 10 * time.Minute}.Start(t)
	d.register(t, "register", d.phones, phone.Port, 3600)
	d.holds(t, "registered", 1000, "")
	d.register(t, "refresh", d.phones, phone.Port, 7200)
	later := fmt.Sprintf("where expiration_time > %d", time.Now().Unix()+5000)
	d.holds(t, "refreshed", 1000, later)
	calls := lab.SIPp{
		Scenario: "call", To: d.SIP, Calls: 1000, InFlight: 20, Keys: map[string]string{"payloads": "0 8", "pause": "20"}, Timeout: 5 * time.Minute,
		Lines: d.phones.Lines(func(name string) string { return next(d.phones, name) }),
	}.Run(t)
	if calls.Good != 1000 || calls.Bad != 0 {
		t.Errorf("asterisk %s: %d of 1000 calls, %d failed: %.2000s", d.Release.Name, calls.Good, calls.Bad, calls.Errors)
	}
	d.register(t, "unregister", d.phones.Part(0, 500), phone.Port, 0)
	d.holds(t, "half unregistered", 500, "")
	d.register(t, "register for two seconds", d.phones.Part(500, 500), phone.Port, 2)
	d.holds(t, "expired", 0, "")
	lab.Eventually(t, time.Minute, "Asterisk knows no contact", func() bool {
		return strings.Contains(d.CLI(t, "pjsip show contacts"), "No objects found")
	})
	if heard := phone.Stop(t); heard.Good != 1000 {
		t.Errorf("asterisk %s: the phones took %d of 1000 calls: %.2000s", d.Release.Name, heard.Good, heard.Errors)
	}
}

// next is the phone behind a phone, the first behind the last.
func next(phones lab.Phones, name string) string {
	n, err := strconv.Atoi(name)
	if err != nil {
		panic(err)
	}
	return phones.Name((n - phones.First + 1) % phones.Count)
}

func (d day) register(t *testing.T, what string, phones lab.Phones, port, seconds int) {
	t.Helper()
	run := phones.Register(t, d.Asterisk, port, seconds, 50)
	t.Logf("asterisk %s: %d phones %s in %v, median %v, p99 %v", d.Release.Name, run.Good, what, run.Took.Round(time.Millisecond), run.Quantile(0.5), run.Quantile(0.99))
	if run.Good != phones.Count || run.Bad != 0 {
		t.Errorf("asterisk %s: %d of %d phones %s, %d failed: %.2000s", d.Release.Name, run.Good, phones.Count, what, run.Bad, run.Errors)
	}
}

// holds waits until so many contacts are in SQL.
func (d day) holds(t *testing.T, what string, count int, where string) {
	t.Helper()
	if d.contacts == nil {
		return
	}
	lab.Eventually(t, time.Minute, fmt.Sprintf("%s: %d contacts in SQL", what, count), func() bool { return d.contacts(t, where) == count })
}
