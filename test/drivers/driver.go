package main

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"asterism/test/lab"
)

// driver is how an Asterisk gets its phones. Another one is another
// implementation, and a line in cases.
type driver interface {
	// Prepare starts what answers and puts the population into it.
	Prepare(s *scope, p population)
	// Settings make an Asterisk ask it.
	Settings() lab.Settings
	// Lookup is the dialplan expression for the codecs of ${EXTEN}.
	Lookup() string
	// Requests is how many have reached the server so far.
	Requests(s *scope) int
	// CPU is what the server has spent so far.
	CPU(s *scope) time.Duration
}

// population is what all cases have.
type population struct {
	phones  lab.Phones
	numbers int
}

const firstNumber = 4930000000

func (p population) number(i int) string { return fmt.Sprint(firstNumber + i%p.numbers) }

// numberRows are the rows of the family numbers.
func (p population) numberRows() [][]string {
	rows := [][]string{{"number", "codecs"}}
	for i := range p.numbers {
		rows = append(rows, []string{p.number(i), "ulaw"})
	}
	return rows
}

// one is a case.
type one struct {
	key    string // for -cases
	name   string
	driver driver
	phones int
	boots  bool // only boots are measured
	storm  bool // also all phones at once
	boxes  bool // each phone has a mailbox
}

// cases are what a plan measures, in this order.
func cases(p plan) []one {
	all := []one{
		{key: "files", name: "files", driver: &files{}, phones: p.phones},
		{key: "pgsql", name: "res_config_pgsql, PostgreSQL", driver: &postgres{engine: pgsql}, phones: p.phones},
		{key: "odbc", name: "res_config_odbc, PostgreSQL", driver: &postgres{engine: odbc}, phones: p.phones},
		{key: "curl", name: "res_config_curl, Asterism", driver: &curl{}, phones: p.phones},
		{key: "active", name: "the same, listing active", driver: &curl{listing: "active"}, phones: p.phones, boots: true},
		{key: "none", name: "the same, listing none", driver: &curl{listing: "none"}, phones: p.phones, boots: true},
		{key: "many", name: "the same, listing none", driver: &curl{listing: "none"}, phones: p.many, boots: true},
		{key: "mailboxes", name: "the same, listing none, a mailbox each", driver: &curl{listing: "none"}, phones: p.phones, boots: true, boxes: true},
		{key: "cache", name: "the same, memory_cache", driver: &curl{sorcery: memoryCache}, phones: p.phones},
		{key: "storm", name: "the same, memory_cache, listing none", driver: &curl{sorcery: memoryCache, listing: "none"}, phones: p.phones, storm: true},
	}
	if len(p.only) == 0 {
		return all
	}
	return slices.DeleteFunc(all, func(c one) bool { return !slices.Contains(p.only, c.key) })
}

// memoryCache is sorcery.conf with what the kit caches.
const memoryCache = `[res_pjsip]
endpoint/cache = memory_cache,object_lifetime_maximum=60,expire_on_reload=yes
endpoint = realtime,ps_endpoints
auth/cache = memory_cache,object_lifetime_maximum=60,expire_on_reload=yes
auth = realtime,ps_auths
aor/cache = memory_cache,object_lifetime_maximum=60,expire_on_reload=yes
aor = realtime,ps_aors
contact = realtime,ps_contacts
domain_alias = realtime,ps_domain_aliases
[res_pjsip_endpoint_identifier_ip]
identify/cache = memory_cache,object_lifetime_maximum=60,full_backend_cache=yes,expire_on_reload=yes
identify = realtime,ps_endpoint_id_ips
`

// dialplan answers each call once the number's codecs were asked, so that the
// question is what a call costs.
func dialplan(d driver) string {
	return "[general]\n[phones]\nexten => _X.,1,Set(CODECS=" + d.Lookup() + ")\n" +
		" same => n,GotoIf($[\"${CODECS}\" = \"\"]?unknown)\n same => n,Answer()\n same => n,Wait(5)\n same => n(unknown),Hangup(1)\n"
}

// with is settings with the dialplan of a driver.
func with(d driver) lab.Settings {
	settings := d.Settings()
	files := map[string]string{"extensions.conf": dialplan(d)}
	maps.Copy(files, settings.Files)
	settings.Files = files
	return settings
}
