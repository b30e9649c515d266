package config

import (
	"slices"
	"strings"
)

// The tables that Asterisk can do with in part: it learns from them which phones
// there are as it starts, and asks for each by its name whenever it needs it.
const (
	endpoints = "ps_endpoints"
	aors      = "ps_aors"
)

func (r *reader) checkListings() {
	faults := len(r.faults)
	for table, listing := range inOrder(r.config.Families.Listing) {
		r.checkListing(r.checkName("families.listing", table), table, listing)
	}
	if len(r.faults) == faults {
		r.checkPhones()
	}
}

// checkListing checks the policy of one table.
func (r *reader) checkListing(key, table, listing string) {
	allowed := []string{ListAll}
	switch table {
	case endpoints:
		allowed = []string{ListAll, ListActive, ListAsked, ListNone}
	case aors:
		allowed = []string{ListAll, ListActive, ListNone}
	}
	switch {
	case slices.Contains(allowed, listing):
	case len(allowed) > 1:
		r.fault(key, quoted(listing)+" is none of "+enumerated(allowed, "and"), "write "+enumerated(allowed, "or"))
	case !slices.Contains([]string{ListActive, ListAsked, ListNone}, listing):
		r.fault(key, quoted(listing)+" is no way to list a table", "remove it, or write all")
	default:
		r.fault(key, quoted(listing)+" can't be: "+whyWhole(table), "remove it; only "+endpoints+" and "+aors+" can be listed in part")
	}
}

// whyWhole tells what would break if a table were listed in part.
func whyWhole(table string) string {
	switch table {
	case "ps_contacts":
		return "by this listing Asterisk deletes the contacts of connections that ended with it, and expired ones are left out already"
	case "ps_auths", "ps_domain_aliases":
		return "Asterisk never asks for all rows of it, but one by one"
	case "ps_endpoint_id_ips":
		return "Asterisk finds a trunk by reading all rows of it"
	case "ps_registrations", "ps_outbound_publishes", "ps_asterisk_publications", "ps_transports", "ps_globals", "ps_systems":
		return "Asterisk reads all rows of it as it starts, and one that is left out would not exist"
	}
	return "what asks for all rows of it needs them"
}

// checkPhones sees to it that endpoints and AORs are listed alike. Asterisk brings
// the two together when it meets an AOR that it does not know: one that it knows
// without its endpoint never makes the phone available, and an endpoint without its
// AOR has all endpoints read once more.
func (r *reader) checkPhones() {
	listing := func(table string) string {
		if policy, ok := r.config.Families.Listing[table]; ok {
			return policy
		}
		return ListAll
	}
	phones, places := listing(endpoints), listing(aors)
	if phones == places || phones == ListAsked && places != ListAll {
		return
	}
	key, remedy := "families.listing."+endpoints, "write listing."+aors+" = "+quoted(phones)+" too"
	if phones == ListAsked {
		remedy = "write listing." + aors + ` = "active" or "none"`
	}
	if _, set := r.config.lines[key]; !set {
		key, remedy = "families.listing."+aors, "write listing."+endpoints+" = "+quoted(places)+` or "asked" too`
	}
	r.fault(key, "does not fit: "+endpoints+" is listed as "+quoted(phones)+", "+aors+" as "+quoted(places)+
		", and a phone that registers later would not show as available", remedy)
}

// enumerated joins words, two at least, for people.
func enumerated(words []string, before string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " " + before + " " + words[last]
}
