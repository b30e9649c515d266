package config

import (
	"strconv"
	"strings"
)

// spell writes a path as a key. A part that TOML would not take bare is quoted,
// so that a dot inside it is not mistaken for one between two parts.
func spell(path []string) string {
	parts := make([]string, len(path))
	for i, part := range path {
		parts[i] = part
		if !bare(part) {
			parts[i] = strconv.Quote(redact(part))
		}
	}
	return strings.Join(parts, ".")
}

// parent returns the key of the section that holds key, empty for the whole file.
func parent(key string) string {
	dot := strings.LastIndexByte(key, '.')
	return key[:max(dot, 0)]
}

func lastPart(key string) string { return key[strings.LastIndexByte(key, '.')+1:] }

// bare tells whether TOML takes name as part of a key without quotes.
func bare(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return notLetter(r) && notDigit(r) && r != '_' && r != '-'
	})
}

// plainName tells whether name is a table or column that SQL takes without quotes.
func plainName(name string) bool {
	return bare(name) && notDigit(rune(name[0])) && !strings.Contains(name, "-")
}

func notLetter(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') }

func notDigit(r rune) bool { return r < '0' || r > '9' }
