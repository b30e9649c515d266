package doctor

import (
	"fmt"
	"regexp"
	"strconv"

	"asterism/internal/failure"
)

// Release is a version of Asterisk; zero is one that nobody told.
type Release struct{ Major, Minor int }

var releaseText = regexp.MustCompile(`^(?:certified[-/])?(\d{1,4})\.(\d{1,4})(?:[-.~+][0-9A-Za-z.~+-]*)?$`)

// ParseRelease reads what "asterisk -V" says behind the word Asterisk, such as
// 22.6.0. Empty is the unknown release.
func ParseRelease(text string) (Release, error) {
	if text == "" {
		return Release{}, nil
	}
	parts := releaseText.FindStringSubmatch(text)
	if parts == nil {
		return Release{}, &failure.Error{
			Kind: failure.Invalid, Field: "release", Message: fmt.Sprintf("%q is no release of Asterisk", text), Hint: "--release 22.6, as asterisk -V says it",
		}
	}
	major, _ := strconv.Atoi(parts[1]) // at most four digits
	minor, _ := strconv.Atoi(parts[2])
	return Release{major, minor}, nil
}

// known tells whether anybody told.
func (r Release) known() bool { return r != Release{} }

// tellsMisses tells whether the core knows "there is no such row" from "nobody
// answered" (CONFIG_RT_NOT_FOUND), and so asks a second priority only for the latter.
func (r Release) tellsMisses() bool {
	switch r.Major {
	case 20:
		return r.Minor >= 16
	case 21:
		return r.Minor >= 11
	case 22:
		return r.Minor >= 6
	}
	return r.Major > 22
}

func (r Release) String() string { return fmt.Sprintf("%d.%d", r.Major, r.Minor) }
