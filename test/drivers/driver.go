package main

import (
	"cmp"
	"crypto/md5"
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
	// Engine is what asks a node, if there is one.
	Engine() lab.Engine
	// Lookup is the dialplan expression for the codecs of ${EXTEN}.
	Lookup() string
	// Requests is how many have reached the server so far.
	Requests(s *scope) int
	// CPU is what the server has spent so far.
	CPU(s *scope) time.Duration
	// Complaints are the server's own warnings and errors so far.
	Complaints(s *scope) []string
}

// population is what all cases have.
type population struct {
	phones  lab.Phones
	numbers int
	live    int // so many phones have a contact from before the start
}

// lookup is the stock way, of all realtime drivers.
const lookup = "${REALTIME_FIELD(numbers,number,${EXTEN},codecs)}"

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

// contactRows are the contacts of the live ones, as SQL holds them.
func (p population) contactRows() [][]string {
	rows := [][]string{{"id", "uri", "expiration_time", "endpoint"}}
	for i := range p.live {
		name := p.phones.Name(i)
		uri := fmt.Sprintf("sip:%s@127.0.0.1:5998", name)
		rows = append(rows, []string{fmt.Sprintf("%s^3B@%x", name, md5.Sum([]byte(uri))), uri, fmt.Sprint(time.Now().Unix() + 86400), name})
	}
	return rows
}

// one is a case.
type one struct {
	key    string // for -cases
	name   string
	driver driver
	phones int
	live   int // of them, from before the start
	what   what
	boxes  bool // each phone has a mailbox
	boots  int  // 0: as many as the plan says
}

// what is measured of a case beside its boots.
type what int

const (
	loads     what = iota // registers, refreshes, calls
	nothing               // only boots
	onlyStorm             // all phones register at once
)

// cases are what a plan measures, in this order.
func cases(p plan) []one {
	live := p.phones / 20
	stock := func(endpoints, aors string) *asterism {
		return &asterism{engine: lab.Curl, endpoints: endpoints, aors: aors}
	}
	all := []one{
		{key: "files", name: "files", driver: &files{}, phones: p.phones},
		{key: "pgsql", name: "res_config_pgsql, PostgreSQL", driver: &postgres{engine: pgsql}, phones: p.phones},
		{key: "odbc", name: "res_config_odbc, PostgreSQL", driver: &postgres{engine: odbc}, phones: p.phones},
		{key: "curl", name: "res_config_curl, Asterism", driver: stock("", ""), phones: p.phones},
		{key: "native", name: "res_config_asterism", driver: &asterism{engine: lab.Native}, phones: p.phones},
		{key: "pgsql-cache", name: "pgsql, memory_cache", driver: &postgres{engine: pgsql, sorcery: memoryCache}, phones: p.phones, boots: 1},
		{key: "odbc-cache", name: "odbc, memory_cache", driver: &postgres{engine: odbc, sorcery: memoryCache}, phones: p.phones, boots: 1},
		{key: "curl-cache", name: "curl, memory_cache", driver: &asterism{engine: lab.Curl, sorcery: memoryCache}, phones: p.phones, boots: 1},
		{key: "native-cache", name: "res_config_asterism, memory_cache", driver: &asterism{engine: lab.Native, sorcery: memoryCache}, phones: p.phones, boots: 1},
		{key: "active", name: "curl, listing active", driver: stock("active", "active"), phones: p.phones, live: live, what: nothing},
		{key: "asked", name: "curl, listing asked / active", driver: stock("asked", "active"), phones: p.phones, live: live, what: nothing},
		{key: "none", name: "curl, listing none", driver: stock("none", "none"), phones: p.phones, what: nothing},
		{key: "many", name: "curl, listing none", driver: stock("none", "none"), phones: p.many, what: nothing},
		{key: "mailboxes", name: "curl, listing none, a mailbox each", driver: stock("none", "none"), phones: p.phones, what: nothing, boxes: true},
		{key: "storm", name: "curl, memory_cache, listing none", driver: &asterism{engine: lab.Curl, sorcery: memoryCache, endpoints: "none", aors: "none"}, phones: p.phones, what: onlyStorm},
		{key: "native-storm", name: "res_config_asterism, memory_cache, listing none", driver: &asterism{engine: lab.Native, sorcery: memoryCache, endpoints: "none", aors: "none"}, phones: p.phones, what: onlyStorm},
	}
	if len(p.only) == 0 {
		return all
	}
	return slices.DeleteFunc(all, func(c one) bool { return !slices.Contains(p.only, c.key) })
}

// sorcery is a sorcery.conf, where none is given that of a PJSIP without caches.
func sorcery(given string) string { return cmp.Or(given, lab.Sorcery) }

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

// workers are PJSIP's threads, unless told otherwise. Left to itself Asterisk 22.10
// was seen to work with four under 50 REGISTERs in flight, so a driver that asks a
// server got as far as four answers at a time do.
const workers = 16

// with is settings with the dialplan of a driver.
func with(d driver, workers int) lab.Settings {
	settings := d.Settings()
	files := map[string]string{"extensions.conf": dialplan(d)}
	maps.Copy(files, settings.Files)
	settings.Files, settings.Workers = files, workers
	return settings
}
