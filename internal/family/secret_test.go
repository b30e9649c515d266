package family

import "testing"

func TestSecretsGoByTheirNames(t *testing.T) {
	f := func(column string, want bool) {
		t.Helper()
		if got := Secret(column); got != want {
			t.Errorf("%s: %v, want %v", column, got, want)
		}
	}
	for _, column := range []string{
		"password", "PASSWORD", "md5_cred", "password_digest", "oauth_secret", "refresh_token", "secret", "md5secret", "remotesecret",
		"dbsecret", "imappassword", "pin", "adminpin", "door_pin",
	} {
		f(column, true)
	}
	for _, column := range []string{"id", "auth", "auth_type", "requirecalltoken", "callingpres", "mapping", "priv_key_file", "credit"} {
		f(column, false)
	}
}
