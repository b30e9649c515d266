package config

import (
	"fmt"
	"strings"
	"unicode"
)

// userLimit is the longest user name in bytes.
const userLimit = 128

func (r *reader) checkClients() {
	for name, client := range inOrder(r.config.Clients) {
		section := "clients." + name
		r.checkRecognised(section, client, r.opened[name])
		for family, table := range inOrder(client.Tables) {
			key := r.checkName(section+".tables", family)
			if problem := tableProblem(table); problem != "" {
				r.fault(key, problem, "write the name of a table")
			}
		}
	}
}

// checkRecognised makes sure that a client is somebody: one without properties
// would be everybody.
func (r *reader) checkRecognised(section string, client Client, line int) {
	user, passwordFile, certificate := section+".user", section+".password_file", section+".certificate"
	switch {
	case client.User != "" && client.PasswordFile == "":
		r.missing(r.config.lines[user], passwordFile, "is missing beside "+user, "name the file that holds the password")
	case client.User == "" && client.PasswordFile != "":
		r.missing(r.config.lines[passwordFile], user, "is missing beside "+passwordFile, "write the name that the client logs in with")
	case len(client.Networks) == 0 && client.User == "" && client.Certificate == "" && !r.faultedInside(section):
		r.missing(line, section, "names nothing by which the client is recognised", "give it networks, a user with a password_file, or a certificate")
	}
	if problem := userProblem(client.User); problem != "" {
		r.fault(user, problem, fmt.Sprintf("write at most %d bytes without a colon", userLimit))
	}
	if client.Certificate != "" && r.config.Asterisk.ClientCA == "" && !r.faulted["asterisk.client_ca"] {
		r.fault(certificate, "is never asked for", "set asterisk.client_ca to the file of the authorities whose certificates are accepted")
	}
}

// faultedInside tells whether a key of a section has a fault already, which may
// be the one that would recognise the client.
func (r *reader) faultedInside(section string) bool {
	for key := range r.faulted {
		if strings.HasPrefix(key, section+".") {
			return true
		}
	}
	return false
}

// userProblem returns what is wrong with a user name, or nothing.
func userProblem(user string) string {
	switch {
	case len(user) > userLimit:
		return fmt.Sprintf("%s is longer than %d bytes", quoted(user), userLimit)
	case strings.ContainsFunc(user, func(c rune) bool { return c == ':' || unicode.IsControl(c) }):
		return quoted(user) + " has a character that no user name can have"
	}
	return ""
}

// clientNameProblem returns what is wrong with NAME in [clients.NAME], or nothing.
func clientNameProblem(name string) string {
	if !bare(name) || len(name) > nameLimit {
		return fmt.Sprintf("%s is not a name of 1 to %d letters, digits, - and _", quoted(name), nameLimit)
	}
	return ""
}
