package doctor

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"asterism/internal/asteriskconf"
)

// badModuleFiles tells of files that asterism.conf names and that are missing, open to
// everybody or of no use.
func badModuleFiles(s *setup) []Finding {
	var out []Finding
	named := map[string]asteriskconf.Variable{}
	for _, v := range s.moduleSettings("general") {
		name := strings.ToLower(v.Name)
		switch name {
		case "password_file", "tls_key":
			out = append(out, lookAt(v, secret)...)
		case "ca_file", "tls_cert":
			out = append(out, lookAt(v, public)...)
		case "user":
		default:
			continue
		}
		named[name] = v
	}
	needs := func(one, other, why, remedy string) {
		v, ok := named[one]
		if _, has := named[other]; ok && !has {
			out = append(out, fault(v.Position, remedy, "%s is set and %s is not: %s", one, other, why))
		}
	}
	needs("user", "password_file", "neither is sent", "password_file = FILE, whose first line is the password")
	needs("password_file", "user", "neither is sent", "user = NAME, as [clients.NAME] user of the server's asterism.toml says it")
	needs("tls_key", "tls_cert", "the module does not load", "tls_cert = FILE")
	return out
}

// kept says who may read a file.
type kept uint8

const (
	public kept = iota
	secret
)

// lookAt tells what is wrong with a file that is named. What may not be looked at
// is not judged: the doctor need not be Asterisk's user.
func lookAt(v asteriskconf.Variable, is kept) []Finding {
	if !filepath.IsAbs(v.Value) {
		return []Finding{fault(v.Position, "write it from /, such as /etc/asterisk/"+filepath.Base(v.Value), "%s = %s is looked for in the folder where Asterisk was started, whichever that is", v.Name, v.Value)}
	}
	found, err := os.Stat(v.Value)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return []Finding{fault(v.Position, "make the file, or take the line out", "%s = %s: there is no such file, and the module does not load", v.Name, v.Value)}
	case err != nil:
		return nil
	case found.IsDir():
		return []Finding{fault(v.Position, "name a file in it", "%s = %s is a folder, and the module does not load", v.Name, v.Value)}
	}
	var out []Finding
	const others = 0o004
	if is == secret && found.Mode().Perm()&others != 0 {
		out = append(out, fault(v.Position, "chmod o= "+v.Value, "%s = %s: every user of the machine may read it", v.Name, v.Value))
	}
	if strings.EqualFold(v.Name, "password_file") && isBlank(v.Value) {
		out = append(out, fault(v.Position, "write the password into its first line", "%s = %s: its first line is empty, and the module does not load", v.Name, v.Value))
	}
	return out
}

// isBlank tells whether the first line of a file that may be read is empty.
func isBlank(name string) bool {
	const most = 256 // what the module reads
	file, err := os.Open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	start := make([]byte, most)
	n, _ := file.Read(start) // nothing read is an empty line too
	line, _, _ := bytes.Cut(start[:n], []byte("\n"))
	return len(bytes.TrimRight(line, "\r")) == 0
}
