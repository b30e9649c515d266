package doctor

import (
	"strings"

	"asterism/internal/asteriskconf"
)

// wizard is a line of sorcery.conf.
type wizard struct {
	asteriskconf.Position
	section, object string
	cache           bool
	driver          string // in lower case
	family          string // of driver realtime; of config the file
	options         map[string]string
}

// wizards reads the lines of sorcery.conf.
func wizards(file *asteriskconf.File) []wizard {
	var out []wizard
	if file == nil {
		return nil
	}
	for _, section := range file.Sections {
		if section.Template || strings.EqualFold(section.Name, "general") {
			continue
		}
		for _, v := range section.Variables {
			out = append(out, newWizard(section.Name, v))
		}
	}
	return out
}

func newWizard(section string, v asteriskconf.Variable) wizard {
	w := wizard{Position: v.Position, section: section, options: make(map[string]string)}
	object, how, _ := strings.Cut(v.Name, "/")
	w.object, w.cache = object, strings.EqualFold(how, "cache")
	driver, rest, _ := strings.Cut(v.Value, ",")
	w.driver = strings.ToLower(strings.TrimSpace(driver))
	for i, part := range strings.Split(rest, ",") {
		name, value, ok := strings.Cut(strings.TrimSpace(part), "=")
		switch {
		case ok:
			w.options[strings.ToLower(strings.TrimSpace(name))] = strings.TrimSpace(value)
		case i == 0:
			w.family = strings.TrimSpace(name)
		}
	}
	return w
}

// place is where a type of object belongs in sorcery.conf, and its usual family.
type place struct{ section, family string }

// places are PJSIP's objects and the others that realtime can hold.
var places = map[string]place{
	"endpoint":                 {"res_pjsip", "ps_endpoints"},
	"auth":                     {"res_pjsip", "ps_auths"},
	"aor":                      {"res_pjsip", "ps_aors"},
	"contact":                  {"res_pjsip", "ps_contacts"},
	"domain_alias":             {"res_pjsip", "ps_domain_aliases"},
	"transport":                {"res_pjsip", "ps_transports"},
	"global":                   {"res_pjsip", "ps_globals"},
	"system":                   {"res_pjsip", "ps_systems"},
	"identify":                 {"res_pjsip_endpoint_identifier_ip", "ps_endpoint_id_ips"},
	"registration":             {"res_pjsip_outbound_registration", "ps_registrations"},
	"outbound-publish":         {"res_pjsip_outbound_publish", "ps_outbound_publishes"},
	"inbound-publication":      {"res_pjsip_pubsub", "ps_inbound_publications"},
	"resource_list":            {"res_pjsip_pubsub", "ps_resource_list"},
	"subscription_persistence": {"res_pjsip_pubsub", "ps_subscription_persistence"},
	"asterisk-publication":     {"res_pjsip_publish_asterisk", "ps_asterisk_publications"},
	"tn":                       {"res_stir_shaken", "stir_tn"},
	"mailboxes":                {"res_mwi_external", "mailboxes"},
}

// inPlace tells whether a wizard stands in the section that its object is
// looked for in.
func (w wizard) inPlace() bool {
	p, ok := places[w.object]
	return ok && strings.EqualFold(p.section, w.section)
}

// realtime gives the wizards that ask families.
func (s *setup) realtime() []wizard {
	var out []wizard
	for _, w := range s.wizards {
		if w.driver == "realtime" && w.family != "" {
			out = append(out, w)
		}
	}
	return out
}

// wizardOf finds the wizard of an object with a driver.
func (s *setup) wizardOf(object, driver string) (wizard, bool) {
	for _, w := range s.wizards {
		if w.object == object && w.driver == driver && w.inPlace() && !w.cache {
			return w, true
		}
	}
	return wizard{}, false
}
