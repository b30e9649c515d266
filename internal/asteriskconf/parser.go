package asteriskconf

import (
	"errors"
	"io/fs"
	"strings"
)

// parser reads the lines of one text into the sections of a reading.
type parser struct {
	*reading
	section *Section
	comment comment
}

// blank is what Asterisk strips: every byte up to the blank.
func blank(r rune) bool { return r <= ' ' }

func (p *parser) line(at Position, line string) {
	line, _, _ = strings.Cut(line, "\x00") // Asterisk sees no further
	line, fault := p.comment.strip(at, line)
	if fault != "" {
		p.note(at, Warning, "%s", fault)
	}
	line = strings.TrimFunc(line, blank)
	switch {
	case line == "":
	case line[0] == '[':
		p.header(at, line[1:])
	case line[0] == '#':
		p.directive(at, line[1:])
	default:
		p.variable(at, line)
	}
}

// variable reads "name = value", "name => value" and "name += value".
func (p *parser) variable(at Position, line string) {
	if p.section == nil {
		p.note(at, Error, "a line before the first [section]")
		return
	}
	from := 0 // where "=" may stand first
	if line[0] == '\\' {
		line, from = line[1:], 1
		if line == "" || line[0] <= ' ' {
			p.note(at, Error, `nothing after the first \`)
			return
		}
	}
	equal := strings.IndexByte(line[from:], '=')
	if equal < 0 {
		p.note(at, Warning, "no = in this line")
		return
	}
	equal += from
	name, value := line[:equal], line[equal+1:]
	if equal > from && line[equal-1] == '+' {
		name = strings.TrimFunc(name[:equal-1], blank)
		if p.section.extend(name, value) {
			return
		}
	} else {
		value = strings.TrimPrefix(value, ">")
	}
	if name = strings.TrimFunc(name, blank); name == "" {
		p.note(at, Warning, "no name before the =")
		return
	}
	v := Variable{Position: at, Name: name, Value: strings.TrimFunc(value, blank)}
	p.section.Variables = append(p.section.Variables, v)
}

// extend lengthens the last variable of a name.
func (s *Section) extend(name, value string) bool {
	for i := len(s.Variables) - 1; i >= 0; i-- {
		if v := &s.Variables[i]; v.Name == name {
			v.Value = strings.TrimFunc(v.Value+value, blank) // a blank after += stays
			return true
		}
	}
	return false
}

// directive reads #include and #tryinclude, and tells of #exec.
func (p *parser) directive(at Position, line string) {
	word, argument := line, ""
	if end := strings.IndexFunc(line, blank); end >= 0 {
		word, argument = line[:end], strings.TrimFunc(line[end:], blank)
	}
	word = strings.ToLower(word)
	switch word {
	case "include", "tryinclude", "exec":
	default:
		p.note(at, Warning, "no directive #%s; there are #include, #tryinclude and #exec", word)
		return
	}
	argument = unquote(argument)
	switch {
	case argument == "":
		p.note(at, Warning, "#%s names nothing", word)
	case word == "exec":
		p.note(at, Warning, "#exec %s is not run: what it would print is missing here", argument)
	case p.include(at, argument) == 0 && word == "include":
		p.note(at, Error, "#include %s: no such file", argument)
	}
}

func unquote(text string) string {
	if len(text) < 2 {
		return text
	}
	if first, last := text[0], text[len(text)-1]; first == '"' && last == '"' || first == '<' && last == '>' {
		return text[1 : len(text)-1]
	}
	return text
}

// include reads the files that a name means and gives how many there were.
func (p *parser) include(at Position, name string) int {
	if p.depth == p.folder.limits.depth {
		p.note(at, Error, "files include each other more than %d deep", p.depth)
		return 1
	}
	if strings.ContainsRune(name, '{') {
		p.note(at, Warning, "%s: braces in the name of an include are not followed", name)
		return 1
	}
	places, err := p.folder.match(name)
	if err != nil {
		p.note(at, Error, "%s: not a pattern for names of files", name)
		return 1
	}
	read := 0
	p.depth++
	for _, place := range places {
		text, err := p.open(place)
		switch {
		case err == nil:
			read++
			p.lines(p.folder.show(place), text)
		case errors.Is(err, fs.ErrNotExist):
			p.note(at, Remark, "%s is not there", p.folder.show(place))
		default:
			read++ // the fault is said; that it is missing would be a second one
			p.note(at, Error, "%s: %v", p.folder.show(place), err)
		}
		if errors.Is(err, errTooMany) {
			break
		}
	}
	if len(places) == 0 {
		p.note(at, Remark, "no file fits %s", name)
	}
	p.depth--
	return read
}
