package trace

import (
	"bytes"
	"fmt"
	"strings"

	"asterism/internal/directory"
	"asterism/internal/failure"
	"asterism/internal/family"
)

// Filter says what somebody wants to see; one of the two at least.
type Filter struct {
	Family string // a table's name or an alias; "": all
	Key    string // as people type it: the key's columns joined by ","; "": all
}

// subject is a filter in the form that exchanges are compared with.
type subject struct {
	family string   // "": all
	key    []string // decoded, in the order of the family's key; nil: all
}

// compile checks a filter against the families that there are.
func (f Filter) compile(view *directory.View) (subject, error) {
	switch {
	case f.Family == "" && f.Key == "":
		return subject{}, &failure.Error{Kind: failure.Invalid, Message: "trace neither a family nor a key", Hint: "name one: --family ps_endpoints, or --key 6001"}
	case len(f.Key) > MaxKey:
		return subject{}, &failure.Error{Kind: failure.Invalid, Field: "key", Message: fmt.Sprintf("trace a key of %d bytes, where %d are the most", len(f.Key), MaxKey)}
	case f.Family == "":
		return subject{key: []string{string(family.AppendDecoded(nil, f.Key))}}, nil
	}
	name := family.Resolve(f.Family)
	table := view.Table([]byte(name))
	if table == nil {
		return subject{}, unknown(f.Family, view)
	}
	s := subject{family: table.Family().Name}
	if f.Key == "" {
		return s, nil
	}
	pieces, err := table.Family().TypedKey(f.Key)
	if err != nil {
		return subject{}, &failure.Error{Kind: failure.Invalid, Field: "key", Message: "trace: " + err.Error()}
	}
	for i, piece := range pieces {
		if table.Family().Split(table.Family().Key[i]) {
			piece = string(family.AppendDecoded(nil, piece))
		}
		s.key = append(s.key, piece)
	}
	return s, nil
}

// unknown says that nobody knows a family, and which one may be meant.
func unknown(name string, view *directory.View) error {
	hint, least := "asterism serve --check names the families of [families]", 4
	for _, table := range view.Tables() {
		if slips := failure.Distance(name, table.Family().Name); slips < least {
			hint, least = "did you mean "+table.Family().Name+"?", slips
		}
	}
	return &failure.Error{Kind: failure.Unknown, Field: "family", Message: fmt.Sprintf("trace: no family %q", name), Hint: hint}
}

// about tells whether an exchange is what is to be seen.
func (s *subject) about(e *Exchange) bool {
	if s.family != "" && s.family != e.family() {
		return false
	}
	if s.key == nil {
		return true
	}
	if s.named(e) || s.written(e) {
		return true
	}
	for row := range e.each {
		if s.is(e.Table, row) {
			return true
		}
	}
	return false
}

// named tells whether the conditions name the key. Without a family any
// condition may, else there must be one for each column of the key.
func (s *subject) named(e *Exchange) bool {
	if s.family == "" {
		for i := range e.Conditions {
			if related(&e.Conditions[i], s.key[0]) {
				return true
			}
		}
		return false
	}
	for i, column := range e.Table.Family().Key {
		if s.key[i] == "" {
			continue // a tenant that was left out
		}
		found := false
		for j := range e.Conditions {
			c := &e.Conditions[j]
			if at, ok := e.Table.Columns().Find(c.Column); !ok || e.Table.Columns().Name(at) != column {
				continue
			}
			if found = s.accepts(e.Table, i, c); !found {
				return false
			}
		}
		if !found {
			return false
		}
	}
	return true
}

// accepts tells whether a condition on a column of the key lets the key through.
func (s *subject) accepts(t *directory.Table, i int, c *directory.Condition) bool {
	if len(s.key) == 1 && related(c, s.key[0]) || c.Op == directory.Equal && string(c.Value) == s.key[i] {
		return true
	}
	if c.Op == directory.Equal {
		return false
	}
	b := directory.NewBuilder(t.Columns())
	at, _ := t.Columns().Position(t.Family().Key[i])
	b.AddSQL(at, []byte(t.Family().ToSQL(t.Family().Key[i], []string{s.key[i]})))
	matcher, unknown := t.Columns().Matcher(t.Family(), []directory.Condition{*c})
	return unknown == 0 && matcher.Match(b.Row())
}

// written tells whether a write gives a row the key.
func (s *subject) written(e *Exchange) bool {
	if e.Table == nil || e.Verb == Require || len(e.Fields) == 0 {
		return false
	}
	matched := 0
	for i, column := range e.Table.Family().Key {
		for _, f := range e.Fields {
			if string(f.Name) != column {
				continue
			}
			switch {
			case s.family == "" && akin(string(f.Value), s.key[0]):
				return true
			case s.family != "" && (string(f.Value) == s.key[i] || len(s.key) == 1 && akin(string(f.Value), s.key[0])):
				matched++
			}
		}
		if s.family != "" && s.key[i] == "" {
			matched++
		}
	}
	return s.family != "" && matched >= len(s.key)
}

// is tells whether a row has the key.
func (s *subject) is(t *directory.Table, r directory.Row) bool {
	for i, text := range t.KeyOf(r) {
		switch {
		case s.family == "":
			if akin(text, s.key[0]) {
				return true
			}
		case s.key[i] != "" && text != s.key[i] && (len(s.key) > 1 || !akin(text, s.key[i])):
			return false
		}
	}
	return s.family != ""
}

// related tells whether a condition asks for a key or for what belongs to it.
func related(c *directory.Condition, key string) bool {
	switch c.Op {
	case directory.Equal:
		return akin(string(c.Value), key)
	case directory.Like:
		return akin(string(bytes.TrimRight(c.Value, "%")), key)
	}
	return false
}

// akin tells whether a text is a phone's key or one that Asterisk makes of it:
// of a contact (6001;@hash), with a domain (6001@example.com), with a
// technology (PJSIP/6001).
func akin(text, key string) bool {
	if rest, ok := strings.CutPrefix(text, key); ok {
		return rest == "" || rest[0] == '@' || strings.HasPrefix(rest, ";@")
	}
	before, ok := strings.CutSuffix(text, key)
	return ok && strings.HasSuffix(before, "/")
}
