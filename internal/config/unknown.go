package config

import (
	"slices"
	"strings"

	"asterism/internal/failure"
)

// unknown notes a key that nobody reads, and the one that was probably meant.
func (r *reader) unknown(key string, of kind) {
	r.refused[key] = true
	what, candidates := "unknown key", r.knownKeys(key)
	if of == kindSection || of == kindSections {
		what, candidates = "unknown section", r.knownSections()
	}
	if meant := nearest(key, candidates); meant != "" {
		r.fault(key, what, "did you mean "+meant+"?")
		return
	}
	section := parent(key)
	if section != "" && r.sections[section] {
		r.fault(key, what, "remove it; ["+section+"] knows "+strings.Join(r.inside(section), ", "))
		return
	}
	r.fault(key, what, "remove it; the sections are "+strings.Join(r.knownSections(), ", "))
}

// knownKeys lists what could have been meant by key: the keys that every file
// may have, and those of its own client.
func (r *reader) knownKeys(key string) []string {
	var keys []string
	for _, f := range r.config.fields() {
		if !f.open() {
			keys = append(keys, f.key)
		}
	}
	if name := lastPart(parent(key)); r.clients[name] != nil && parent(parent(key)) == "clients" {
		for _, f := range r.clients[name].fields(name) {
			keys = append(keys, f.key)
		}
	}
	return keys
}

// knownSections lists the sections in the order of the manual.
func (r *reader) knownSections() []string {
	var sections []string
	for _, f := range r.config.fields() {
		section := parent(f.key)
		if f.open() {
			section = f.key
		}
		if !slices.Contains(sections, section) {
			sections = append(sections, section)
		}
	}
	return append(sections, "clients")
}

// inside lists the last parts of the known keys of a section.
func (r *reader) inside(section string) []string {
	var names []string
	for _, key := range r.order {
		if parent(key) == section {
			names = append(names, lastPart(key))
		}
	}
	return names
}

// nearestLength is the longest key for which a likeness is looked for.
const nearestLength = 80

// nearest returns the candidate that key is most like, or none. A key with the
// right last part in the wrong section counts as one slip.
func nearest(key string, candidates []string) string {
	if len(key) > nearestLength {
		return ""
	}
	best, least := "", max(2, len(lastPart(key))/3)+1
	for _, candidate := range candidates {
		slips := min(failure.Distance(key, candidate), failure.Distance(lastPart(key), lastPart(candidate))+1)
		if slips < least {
			best, least = candidate, slips
		}
	}
	return best
}
