package doctor

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// An option of asterism.conf says what is wrong with a value; empty: nothing.
type option func(value string) string

func anything(string) string { return "" }

// number is one that the module takes in these bounds.
func number(least, most int) option {
	return func(value string) string {
		if n, err := strconv.Atoi(value); err == nil && n >= least && n <= most {
			return ""
		}
		return fmt.Sprintf("want a number from %d to %d", least, most)
	}
}

var sizeText = regexp.MustCompile(`^\d{1,10}[KMGkmg]?$`)

func size(value string) string {
	if sizeText.MatchString(value) {
		return ""
	}
	return "want a size like 32M, or 0 for no cache"
}

func keeping(value string) string {
	switch strings.ToLower(value) {
	case "yes", "no", "stale":
		return ""
	}
	return "want yes, no, or stale to go on with the last answer while no server answers"
}

// moduleSection is a section of asterism.conf: options by name, or one for all names,
// which are tables then.
type moduleSection struct {
	options map[string]option
	tables  option
}

func moduleSections() map[string]moduleSection {
	const minute, hour = 60_000, 3_600_000 // in milliseconds
	return map[string]moduleSection{
		"general": {options: map[string]option{
			"server": anything, "connect_timeout": number(10, minute), "answer_timeout": number(10, minute), "idle_timeout": number(100, hour),
			"connections": number(2, 10_000), "user": anything, "password_file": anything, "ca_file": anything, "tls_cert": anything, "tls_key": anything,
		}},
		"cache":        {options: map[string]option{"size": size, "max_age": number(100, minute)}},
		"families":     {tables: keeping},
		"memory_cache": {tables: anything},
	}
}
