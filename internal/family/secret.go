package family

import "strings"

// Hidden stands where a secret would be shown to a person.
const Hidden = "[secret]"

// Secret tells whether a column holds what nobody should read over an
// operator's shoulder: passwords, their digests, PINs and tokens. It goes by
// the name, so that it also holds for columns and tables of an operator's own.
func Secret(column string) bool {
	if len(column) < len("pin") {
		return false // "id", which is asked for most
	}
	name := strings.ToLower(column)
	for _, part := range []string{"password", "passwd", "secret", "credential"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	for _, end := range []string{"_cred", "_token", "_pin"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return name == "pin" || name == "adminpin" || name == "userpin"
}
