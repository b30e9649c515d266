package report

import (
	"fmt"
	"strings"
)

// ReplaceSection puts a new text between the two markers of a section.
func ReplaceSection(document, name, section string) (string, error) {
	opening, closing := "<!-- bench:"+name+" -->\n", "<!-- /bench:"+name+" -->"
	before, rest, found := strings.Cut(document, opening)
	if !found {
		return "", fmt.Errorf("no line %q: put it where the section belongs", strings.TrimSpace(opening))
	}
	_, after, found := strings.Cut(rest, closing)
	if !found {
		return "", fmt.Errorf("no line %q after its opening: put it where the section ends", closing)
	}
	return before + opening + strings.TrimRight(section, "\n") + "\n" + closing + after, nil
}
