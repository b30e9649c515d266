package doctor

import (
	"net/netip"
	"net/url"
	"strings"

	"asterism/internal/failure"
	"asterism/internal/family"
)

// mostURL is what Asterisk keeps of a base URL.
const mostURL = 255

// badURLs tells of base URLs that can't be asked.
func badURLs(s *setup) []Finding {
	var out []Finding
	for _, m := range s.onCurl() {
		remedy := s.curlLine(m.family)
		at, err := url.Parse(m.database)
		_, last, _ := cutLast(m.database, "/")
		switch {
		case m.database == "":
			out = append(out, fault(m.Position, remedy, "%s is mapped to curl without a URL", m.family))
		case strings.Contains(m.database, ",") || strings.ContainsAny(m.table, "/:"):
			out = append(out, fault(m.Position, remedy, "the URL of %s has a comma: the rest is cut off", m.family))
		case strings.Contains(m.database, "?"):
			out = append(out, fault(m.Position, remedy, "the URL of %s has a ?: what is asked would be put behind it", m.family))
		case strings.Contains(m.database, "${"):
			out = append(out, fault(m.Position, "write the address itself", "the URL of %s has a ${}, which is worked out anew for every question", m.family))
		case err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https":
			out = append(out, fault(m.Position, remedy, "%q, where %s is asked, is no http URL", m.database, m.family))
		case strings.HasSuffix(m.database, "/"):
			out = append(out, fault(m.Position, "take the last / off", "the URL of %s ends in /: Asterisk adds another one", m.family))
		case at.Path == "" || last == "rt":
			out = append(out, fault(m.Position, remedy, "the URL of %s names no family, and curl sends none", m.family))
		}
	}
	return out
}

// longURLs tells of base URLs that are cut.
func longURLs(s *setup) []Finding {
	var out []Finding
	for _, m := range s.onCurl() {
		if len(m.database) > mostURL {
			out = append(out, fault(m.Position, "shorten it, such as "+s.curlLine(m.family), "the URL of %s has %d bytes: Asterisk cuts it at %d", m.family, len(m.database), mostURL))
		}
	}
	return out
}

// hostNames tells of names that every thread looks up for itself.
func hostNames(s *setup) []Finding {
	var out []Finding
	for _, m := range s.onCurl() {
		at, err := url.Parse(m.database)
		if err != nil || at.Hostname() == "" || strings.Contains(m.database, "${") {
			continue
		}
		if _, err := netip.ParseAddr(at.Hostname()); err != nil {
			out = append(out, fault(m.Position, "write the address as a number, such as 127.0.0.1",
				"%s is asked at the name %s: every thread of Asterisk, each call's too, looks it up anew", m.family, at.Hostname()))
		}
	}
	return out
}

// otherFamilies tells of URLs that ask for another family, since curl does not
// send which one Asterisk means.
func otherFamilies(s *setup) []Finding {
	var out []Finding
	for _, m := range s.onCurl() {
		_, last, ok := cutLast(m.database, "/")
		if !ok || last == "" || last == "rt" {
			continue
		}
		wanted := family.Resolve(m.family)
		if m.static() {
			wanted = "ast_config"
		}
		switch meant := s.nearest(last); {
		case family.Resolve(last) == wanted:
			if m.table != "" && family.Resolve(m.table) != wanted && !strings.ContainsAny(m.table, "/:") {
				out = append(out, fault(m.Position, "name the table in the URL: "+s.curlTo(m.family, m.table), "curl does not send the table %s: %s is asked for", m.table, last))
			}
		case s.known(last) && (s.known(m.family) || m.static()):
			out = append(out, fault(m.Position, s.curlTo(m.family, wanted), "%s is mapped to a URL of %s: curl sends no table, so the URL decides", m.family, last))
		case !s.known(last) && meant != "" && meant == wanted:
			out = append(out, fault(m.Position, s.curlTo(m.family, wanted), "the URL of %s asks for %s, which is no family: did you mean %s?", m.family, last, meant))
		}
	}
	return out
}

// nearest gives the family that a misspelled name was meant to be.
func (s *setup) nearest(name string) string {
	const far = 3
	best, found := far, ""
	consider := func(candidate string) {
		if d := failure.Distance(strings.ToLower(name), candidate); d < best && d < len(candidate)/2 {
			best, found = d, candidate
		}
	}
	for _, f := range s.families.All() {
		consider(f.Name)
	}
	for _, alias := range []string{"iaxpeers", "iaxusers", "sipusers", "sipfriends"} {
		consider(alias)
	}
	return found
}
