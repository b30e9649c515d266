package asterisk

import (
	"strings"
	"testing"

	"asterism/test/lab"
)

// Payload types of RTP/AVP that SIPp's phones offer.
const everyPayload = "0 8 9 18" // ulaw, alaw, g722, g729

// TestANumbersCodecsDecideTheCall is the scene of 2004: a number is called, Asterisk
// asks Asterism for the number's codecs, offers just those, and the call is set up
// with the right one. It runs on the files of the kit, as they are written.
func TestANumbersCodecsDecideTheCall(t *testing.T) {
	onEach(t, func(t *testing.T, release lab.Release) {
		home := lab.NewHome(t)
		phones := lab.Phones{First: 6001, Count: 1}
		phones.Load(t, home)
		ways := []string{"numbers", "numbers-by-curl"} // that the kit knows
		if release.Engine == lab.Native {
			ways[1] = "numbers-by-realtime"
		}
		for _, context := range ways {
			name := "caller-" + context
			home.Run(t, "set", "ps_endpoints", name, "transport=transport-udp", "aors="+name, "auth=6001", "context="+context, "disallow=all", "allow=ulaw,alaw,g722,g729", "direct_media=no", "asymmetric_rtp_codec=yes")
			home.Run(t, "set", "ps_aors", name, "max_contacts=1")
		}
		home.Run(t, "set", "ps_auths", "6001", "username=caller")
		node := home.Serve(t)
		files, sip := kit(t, release, node)
		a := release.Start(t, lab.Settings{SIP: sip, Files: files})
		for _, number := range []struct{ number, codecs, payload string }{
			{"49301001", "ulaw", "0"}, {"49301002", "alaw", "8"}, {"49301003", "g722", "9"}, {"49301004", "g729", "18"}, {"49301005", "alaw,g722", "8 9"}, {"49301006", "g722,ulaw,alaw", "9 0 8"},
		} {
			callee := lab.SIPp{Scenario: "answer", Calls: 2, Keys: map[string]string{"payloads": strings.Fields(number.payload)[0]}}.Start(t)
			home.Run(t, "set", "numbers", number.number, "codecs="+number.codecs)
			home.Run(t, "set", "ps_aors", number.number, "contact=sip:"+number.number+"@127.0.0.1:"+itoa(callee.Port))
			home.Run(t, "set", "ps_endpoints", number.number, "transport=transport-udp", "aors="+number.number, "context=none", "disallow=all", "allow=opus,ulaw,alaw,g722,g729,gsm", "direct_media=no")
			for _, context := range ways {
				caller := callFrom(t, a, "caller-"+context, number.number, everyPayload)
				if caller.Good != 1 {
					t.Fatalf("%s to %s: %s", context, number.number, caller.Errors)
				}
				if got := offers(caller.Messages); len(got) < 3 || !hasPayload(got[len(got)-1], strings.Fields(number.payload)[0]) {
					t.Errorf("%s to %s: the caller was answered with %q", context, number.number, got)
				}
			}
			heard := callee.Wait(t)
			if heard.Good != 2 {
				t.Errorf("%s: the callee took %d of 2 calls: %s", number.number, heard.Good, heard.Errors)
			}
			for i, offer := range offers(heard.Messages) {
				if i%2 == 0 && withoutEvents(offer) != number.payload {
					t.Errorf("%s, codecs %s: offered %q, want %q", number.number, number.codecs, offer, number.payload)
				}
			}
		}
		home.Run(t, "set", "numbers", "49301007", "codecs=ulaw", "enabled=no")
		for _, number := range []string{"49309999", "49301007"} {
			for _, context := range ways {
				if got := callFrom(t, a, "caller-"+context, number, everyPayload); !strings.Contains(got.Messages, "SIP/2.0 404 Not Found") || !strings.Contains(got.Messages, "cause=1") {
					t.Errorf("%s to the unknown %s: %s", context, number, got.Messages)
				}
			}
		}
		quiet(t, a)
		quietNode(t, node)
		alsoOnFiles(t, a, sceneOnFiles(t, release))
	})
}

// sceneOnFiles calls a number whose codec Asterisk can't translate, all from files.
func sceneOnFiles(t *testing.T, release lab.Release) *lab.Asterisk {
	t.Helper()
	callee := lab.SIPp{Scenario: "answer", Calls: 1, Keys: map[string]string{"payloads": "18"}}.Start(t)
	const offer = "transport = transport-udp\ndisallow = all\nallow = ulaw,alaw,g722,g729\ndirect_media = no\n"
	sip := lab.FreePort(t)
	a := release.Start(t, lab.Settings{SIP: sip, Files: map[string]string{
		"pjsip.conf": lab.Transport(sip) + "[6001]\ntype = auth\nauth_type = userpass\nusername = caller\npassword = secret-6001\n" +
			"[caller]\ntype = endpoint\nauth = 6001\naors = caller\ncontext = phones\nasymmetric_rtp_codec = yes\n" + offer + "[caller]\ntype = aor\nmax_contacts = 1\n" +
			"[49301004]\ntype = endpoint\naors = 49301004\ncontext = none\n" + offer + "[49301004]\ntype = aor\ncontact = sip:49301004@127.0.0.1:" + itoa(callee.Port) + "\n",
		"extensions.conf": onPhones("exten => _X.,1,Dial(PJSIP/${EXTEN},60,b(offer^s^1))") + "[offer]\nexten => s,1,Set(PJSIP_MEDIA_OFFER(audio)=g729)\n same => n,Return()\n",
	}})
	if got := callFrom(t, a, "caller", "49301004", everyPayload); got.Good != 1 {
		t.Errorf("on files: %s", got.Errors)
	}
	return a
}
