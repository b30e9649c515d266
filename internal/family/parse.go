package family

import (
	"fmt"
	"strconv"
	"strings"
)

// parse reads one of the files under tables/. A table starts with a line
// "table NAME"; lines without indent say something of it; an indented line is a
// column: name, type, then "auto", "required" or "default=V".
func parse(file, text string) ([]*Family, error) {
	var out []*Family
	for n, line := range strings.Split(text, "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || words[0][0] == '#' {
			continue
		}
		if words[0] == "table" {
			out = append(out, &Family{Name: words[1]})
			continue
		}
		f := out[len(out)-1]
		read := f.readRule
		if line[0] == ' ' {
			read = f.readColumn
		}
		if err := read(words); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, n+1, err)
		}
	}
	for _, f := range out {
		f.place()
	}
	return out, nil
}

func (f *Family) readRule(words []string) error {
	rest := words[1:]
	switch words[0] {
	case "key":
		f.Key = rest
	case "primary":
		f.Primary = rest
	case "unique":
		f.Unique = append(f.Unique, rest)
	case "append-only":
		f.AppendOnly = true
	case "verbatim":
		f.Verbatim = true
	case "expires":
		f.Expires = rest[0]
	case "index":
		kind, ok := map[string]IndexKind{"hash": Hash, "order": Order, "some": Some}[rest[0]]
		if !ok {
			return fmt.Errorf("index kind %q", rest[0])
		}
		f.Indexes = append(f.Indexes, Index{Kind: kind, Columns: rest[1:]})
	case "volatile":
		f.volatile = make(map[string]bool)
		for _, name := range rest {
			if name == "*" {
				f.volatileRows = true
				continue
			}
			f.volatile[name] = true
		}
	default:
		return fmt.Errorf("unknown rule %q", words[0])
	}
	return nil
}

func (f *Family) readColumn(words []string) error {
	c := Column{Name: words[0]}
	kind, argument, _ := strings.Cut(strings.TrimSuffix(words[1], ")"), "(")
	switch kind {
	case "text":
		c.Kind = Text
		if argument != "" {
			n, err := strconv.Atoi(argument)
			if err != nil {
				return fmt.Errorf("length of %s: %w", c.Name, err)
			}
			c.Length = n
		}
	case "integer":
		c.Kind = Integer
	case "float":
		c.Kind = Float
	case "time":
		c.Kind = Time
	case "yesno":
		c.Kind = YesNo
	case "enum":
		c.Kind = Enum
		c.Values = strings.Split(argument, "|")
	default:
		return fmt.Errorf("unknown type %q of %s", words[1], c.Name)
	}
	for _, word := range words[2:] {
		value, isDefault := strings.CutPrefix(word, "default=")
		switch {
		case word == "auto":
			c.Auto = true
		case word == "required":
			c.Required = true
		case isDefault:
			c.Default = &value
		default:
			return fmt.Errorf("unknown word %q at %s", word, c.Name)
		}
	}
	f.Columns = append(f.Columns, c)
	return nil
}
