package cli

import (
	"bufio"
	"fmt"
	"io"
	"net/url"
	"strings"

	"asterism/internal/family"
	"asterism/internal/store"
)

// maxRow bounds one row of an answer, in bytes.
const maxRow = 16 << 20

// rows yields the rows of an answer, one per line, as they come.
func (r *remote) rows(f *family.Family, body io.Reader, limit int, yield func([]store.Text) error) error {
	lines := bufio.NewScanner(body)
	lines.Buffer(make([]byte, 64<<10), maxRow)
	for yielded := 0; lines.Scan(); {
		row, err := parseRow(f, lines.Text())
		if err != nil {
			return err
		}
		if err := yield(row); err != nil {
			return err
		}
		if yielded++; yielded == limit {
			return nil
		}
	}
	if err := lines.Err(); err != nil {
		return r.failed(err)
	}
	return nil
}

// parseRow reads a row of the wire, where a column with several values comes
// several times, and gives its texts as SQL holds them.
func parseRow(f *family.Family, text string) ([]store.Text, error) {
	var out []store.Text
	var values []string // of the last column in out
	for pair := range strings.SplitSeq(text, "&") {
		name, value, _ := strings.Cut(pair, "=")
		column, err := url.PathUnescape(name)
		if err != nil {
			return nil, fmt.Errorf("read a row of the node: %w", err)
		}
		decoded, err := url.PathUnescape(value)
		if err != nil {
			return nil, fmt.Errorf("read a row of the node: %w", err)
		}
		if len(out) == 0 || out[len(out)-1].Column != column {
			out = append(out, store.Text{Column: column})
			values = values[:0]
		}
		values = append(values, decoded)
		out[len(out)-1].Text = f.ToSQL(column, values)
	}
	return out, nil
}
