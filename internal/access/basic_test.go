package access

import (
	"encoding/base64"
	"net/http"
	"strings"
	"testing"
)

func TestBasic(t *testing.T) {
	f := func(header, user, password string) {
		t.Helper()
		var buffer Buffer
		u, p := Basic([]byte(header), &buffer)
		if string(u) != user || string(p) != password {
			t.Errorf("%s gives %q and %q, want %q and %q", header, u, p, user, password)
		}
	}
	encoded := func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
	f("Basic "+encoded("oslo:word"), "oslo", "word")
	f("basic "+encoded("oslo:word"), "oslo", "word")
	f("BASIC   "+encoded("oslo:word")+" ", "oslo", "word")
	f("Basic "+encoded("oslo:a:b:"), "oslo", "a:b:")
	f("Basic "+encoded(":word"), "", "word")
	f("Basic "+encoded("oslo:"), "oslo", "")
	f("Basic "+encoded("Ærø:é"), "Ærø", "é")
	full := strings.Repeat("u", MaxCredential)
	f("Basic "+encoded(full+":"+full), full, full)

	f("", "", "")
	f("Basic", "", "")
	f("Basic ", "", "")
	f("Bearer "+encoded("oslo:word"), "", "")
	f("Basic "+encoded("oslo"), "", "")
	f("Basic "+encoded("oslo:word")+"=", "", "")
	f("Basic !!!!", "", "")
	f("Basic "+encoded(full+":"+full+"more"), "", "")
	f("Basic "+strings.Repeat("A", 1<<14), "", "")
}

// FuzzBasic compares with the reading of net/http, as far as that one is bounded
// the same.
func FuzzBasic(f *testing.F) {
	f.Add("Basic b3Nsbzp3b3Jk")
	f.Add("basic OndvcmQ=")
	f.Add("Basic  b3Nsbzo=")
	f.Fuzz(func(t *testing.T, header string) {
		var buffer Buffer
		user, password := Basic([]byte(header), &buffer)
		request := http.Request{Header: http.Header{"Authorization": {header}}}
		wantUser, wantPassword, ok := request.BasicAuth()
		if len(header) <= 300 && ok && (string(user) != wantUser || string(password) != wantPassword) {
			t.Errorf("%q gives %q and %q, net/http %q and %q", header, user, password, wantUser, wantPassword)
		}
	})
}
