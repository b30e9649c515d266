package cli

import (
	"bufio"
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"

	"asterism/internal/family"
	"asterism/internal/store"
)

// addJSON gives a command the flag --json; as says what it prints then.
func addJSON(cmd *cobra.Command, as string) *bool {
	return cmd.Flags().Bool("json", false, "print JSON: "+as)
}

// jsonListing prints an array of objects.
type jsonListing struct {
	out   *bufio.Writer
	begun bool
	text  []byte
}

func (l *jsonListing) row(row []store.Text) error {
	l.text = append(l.text[:0], "[\n"...)
	if l.begun {
		l.text = append(l.text[:0], ",\n"...)
	}
	l.begun = true
	l.text = appendObject(l.text, row)
	_, err := l.out.Write(l.text)
	return err
}

func (l *jsonListing) end() error {
	text := "[]\n"
	if l.begun {
		text = "\n]\n"
	}
	_, err := l.out.WriteString(text)
	return err
}

// appendObject appends a row as a JSON object, its columns in the row's order.
func appendObject(dst []byte, row []store.Text) []byte {
	dst = append(dst, '{')
	for i, text := range row {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, text.Column)
		dst = append(dst, ':')
		dst = appendString(dst, text.Text)
	}
	return append(dst, '}')
}

// appendString appends a JSON string. family.AppendKey spells strings as SQLite
// does, with UTF-8 as it is, which people can read.
func appendString(dst []byte, text string) []byte {
	start := len(dst)
	dst = family.AppendKey(dst, strings.ToValidUTF8(text, "\ufffd"))
	copy(dst[start:], dst[start+1:len(dst)-1]) // without the brackets
	return dst[:len(dst)-2]
}

// printJSON prints a value as indented JSON.
func (d deps) printJSON(value any) error {
	encoder := json.NewEncoder(d.out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}
