package asteriskconf

import (
	"regexp"
	"strings"
)

// header reads "name](options)".
func (p *parser) header(at Position, line string) {
	name, rest, ok := strings.Cut(line, "]")
	if !ok {
		p.note(at, Error, "no ] after [%s", name)
		return
	}
	opened := &Section{Position: at, Name: name}
	options, ok := strings.CutPrefix(rest, "(")
	if !ok {
		p.enter(opened)
		return
	}
	if options, _, ok = strings.Cut(options, ")"); !ok {
		p.note(at, Error, "no ) after [%s](", name)
		return
	}
	fresh := true
	for option := range strings.SplitSeq(options, ",") {
		filter, addition := strings.CutPrefix(option, "+")
		switch {
		case option == "!":
			opened.Template = true
		case addition:
			earlier := p.find(at, name, filter)
			if earlier == nil {
				p.note(at, Error, "[%s](%s): no such section above it", name, option)
				return
			}
			earlier.Template = earlier.Template || opened.Template
			if fresh {
				earlier.Variables = append(earlier.Variables, opened.Variables...)
			}
			opened, fresh = earlier, false
		default:
			p.inherit(at, opened, option)
		}
	}
	if fresh {
		p.enter(opened)
		return
	}
	p.section, p.current = opened, opened
}

func (p *parser) enter(s *Section) {
	name := strings.ToLower(s.Name)
	p.named[name] = append(p.named[name], s)
	p.file.Sections = append(p.file.Sections, s)
	p.section, p.current = s, s
}

// inherit copies the variables of an earlier section.
func (p *parser) inherit(at Position, into *Section, name string) {
	base := p.find(at, name, "TEMPLATES=include")
	if base == nil {
		p.note(at, Error, "[%s](%s): no section %s above it", into.Name, name, name)
		return
	}
	if p.inherited += len(base.Variables); p.inherited > p.folder.limits.inherited {
		p.note(at, Error, "[%s]: the sections up to here inherit more than %d lines", into.Name, p.folder.limits.inherited)
		return
	}
	for _, v := range base.Variables {
		v.Inherited = true
		into.Variables = append(into.Variables, v)
	}
}

// find gives the first section of a name that fits a filter: conditions joined
// by &, each "name=pattern", a pattern anywhere in the value. Templates are left
// out unless the filter says TEMPLATES=include or TEMPLATES=restrict. No name
// fits all, so [x]() inherits the first section of the file.
func (p *parser) find(at Position, name, filter string) *Section {
	conditions, ok := p.conditions(at, filter)
	if !ok {
		return nil
	}
	sections := p.named[strings.ToLower(name)]
	if name == "" {
		sections = p.file.Sections
	}
	for _, s := range sections {
		if fits(s, conditions) {
			return s
		}
	}
	return nil
}

// condition is one part of a filter. Without a pattern it is about templates.
type condition struct {
	name    string
	word    string
	pattern *regexp.Regexp
}

func (p *parser) conditions(at Position, filter string) ([]condition, bool) {
	var out []condition
	if filter == "" {
		return nil, true
	}
	for part := range strings.SplitSeq(filter, "&") {
		name, value, ok := strings.Cut(part, "=")
		c := condition{name: strings.TrimFunc(name, blank), word: strings.ToLower(strings.TrimFunc(value, blank))}
		if !ok {
			p.note(at, Warning, "%q is not NAME=PATTERN", part)
			return nil, false
		}
		if c.name != "TEMPLATES" {
			var err error
			if c.pattern, err = regexp.CompilePOSIX(strings.TrimFunc(value, blank)); err != nil {
				p.note(at, Warning, "%q: not a regular expression", value)
				return nil, false
			}
		}
		out = append(out, c)
	}
	return out, true
}

func fits(s *Section, conditions []condition) bool {
	wanted := !s.Template
	for _, c := range conditions {
		switch {
		case c.pattern != nil:
			if !s.holds(c) {
				return false
			}
		case c.word == "include":
			wanted = true
		case c.word == "restrict":
			if !s.Template {
				return false
			}
			wanted = true
		default:
			return false
		}
	}
	return wanted
}

func (s *Section) holds(c condition) bool {
	for _, v := range s.Variables {
		if v.Name == c.name && c.pattern.MatchString(v.Value) {
			return true
		}
	}
	return false
}
