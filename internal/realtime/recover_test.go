package realtime

import (
	"strings"
	"testing"

	"asterism/internal/directory"
	"asterism/internal/family"
)

func columnsOfFamily(t testing.TB, name string) *directory.Columns {
	t.Helper()
	f, err := family.Standard().Family(name)
	if err != nil {
		t.Fatal(err)
	}
	return directory.NewColumns(f, nil)
}

func TestRecoverPairs(t *testing.T) {
	columns := columnsOfFamily(t, "voicemail")
	f := func(form, want string) {
		t.Helper()
		pairs, reason := recoverPairs([]byte(form), columns, nil)
		var got []string
		for _, p := range pairs {
			got = append(got, string(p.name)+"="+string(p.value))
		}
		if reason != "" {
			got = []string{reason}
		}
		if text := strings.Join(got, ", "); text != want {
			t.Errorf("%s is %s, want %s", form, text, want)
		}
	}
	f("&context=defaultmailbox=1001", "context=default, mailbox=1001")
	f("&password=4321", "password=4321")
	f("&password=4321email=a%40example.com", "password=4321, email=a@example.com")
	f("&context=mailbox=", "context=, mailbox=")
	f("&context=a%3Dbmailbox=1%3D2", "context=a=b, mailbox=1=2")
	f("&context=a%26bmailbox=1", "context=a&b, mailbox=1")
	f("&context%20!%3D=defaultmailbox%20LIKE=10%25", "context !==default, mailbox LIKE=10%")
	f("&context=default&mailbox=1001", "context=default, mailbox=1001") // a client that mends it
	// The longest name wins: imapuser before no shorter one, fullname before none.
	f("&context=ximapuser=1", "context=x, imapuser=1")
	f("&context=xattachfmt=1", "context=x, attachfmt=1")
	f("&context=x", "context=x")
	// Names are recovered in their own case only; Asterisk's own are exact.
	f("&context=defaultMAILBOX=1001", malformedWrite)
	f("&context=defaultnosuch=1001", malformedWrite)
	f("&context=default=1001", malformedWrite)
	f("&context", malformedWrite)
	f("&", malformedWrite)
	f("", malformedWrite)
	f("&"+strings.Repeat("context=a", MaxPairs+1), tooManyFields)
	// The value is long, the way to its end short.
	long := strings.Repeat("x", MaxValue)
	f("&context="+long+"mailbox=1", "context="+long+", mailbox=1")
	f("&context=x"+long+"mailbox=1", fieldTooLong)
	f("&"+strings.Repeat("x", MaxName+1)+"=1", fieldTooLong)
}
