package asteriskconf

import "strings"

// mostNested is how deep block comments nest in Asterisk.
const mostNested = 128

// comment takes comments out of lines: from ; to the end of the line, and blocks
// ;-- --; over several lines. "\;" is a semicolon.
type comment struct {
	open []Position // of blocks that have not ended
}

// Faults of comments.
const (
	tooDeep  = "comments ;-- nest too deep"
	noOpener = "--; ends no comment: Asterisk keeps it in the value and takes all lines that follow for a comment; write a blank before the ;"
)

// strip gives what a line says outside comments, and what is wrong with these.
func (c *comment) strip(at Position, line string) (said, fault string) {
	var out strings.Builder
	keep := func(text string) {
		if len(c.open) == 0 {
			out.WriteString(text)
		}
	}
	for {
		i := strings.IndexByte(line, ';')
		if i < 0 {
			keep(line)
			return out.String(), fault
		}
		before, after := line[:i], line[i+1:]
		line = after
		switch ends := strings.HasSuffix(before, "--"); {
		case strings.HasSuffix(before, `\`):
			keep(before[:len(before)-1] + ";")
		case strings.HasPrefix(after, "--") && !strings.HasPrefix(after, "---"):
			keep(before)
			if len(c.open) == mostNested {
				fault = tooDeep
				continue
			}
			c.open = append(c.open, at)
			line = after[2:]
		case len(c.open) > 0 && ends:
			c.open = c.open[:len(c.open)-1]
		case len(c.open) > 0:
		default:
			keep(before)
			if ends {
				fault = noOpener
			}
			return out.String(), fault
		}
	}
}
