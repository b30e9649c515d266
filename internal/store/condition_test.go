package store

import (
	"database/sql"
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"asterism/internal/directory"
	"asterism/internal/family"
)

// memory builds a table of the directory from what SQL holds.
type memory struct {
	directory *directory.Directory
	family    *family.Family
	columns   *directory.Columns
	at        []int
	rows      map[string]*directory.Bucket
}

func remember(t *testing.T, s *Store, f *family.Family) *directory.Table {
	t.Helper()
	m := &memory{directory: directory.New([]*family.Family{f}, nil), family: f, rows: make(map[string]*directory.Bucket)}
	scan, err := s.Scan()
	if err != nil {
		t.Fatal(err)
	}
	defer scan.Close()
	if err := scan.All(t.Context(), f, m); err != nil {
		t.Fatal(err)
	}
	for _, bucket := range m.rows {
		m.directory.Publish(f.Name, []directory.Bucket{*bucket})
	}
	return m.directory.View().Table([]byte(f.Name))
}

func (m *memory) Columns(names []string) {
	m.columns, m.at = m.directory.EnsureColumns(m.family.Name, names), nil
	for _, name := range names {
		at, _ := m.columns.Position(name)
		m.at = append(m.at, at)
	}
}

func (m *memory) Row(texts []sql.RawBytes, _ map[string]string) error {
	builder := directory.NewBuilder(m.columns)
	for i, text := range texts {
		builder.AddSQL(m.at[i], text)
	}
	row := builder.Row()
	key := m.directory.View().Table([]byte(m.family.Name)).KeyOf(row)
	id := strings.Join(key, "\x00")
	if m.rows[id] == nil {
		m.rows[id] = &directory.Bucket{Key: key}
	}
	m.rows[id].Rows = append(m.rows[id].Rows, row)
	return nil
}

func fill(t *testing.T, w *Writer, f *family.Family, rows [][]string) error {
	names := []string{"context", "mailbox", "password", "fullname", "sayduration", "volgain"}
	for _, row := range rows {
		texts := make([]Text, len(names))
		for i, name := range names {
			texts[i] = Text{name, row[i]}
		}
		if err := w.insert(t.Context(), f, texts); err != nil {
			return err
		}
	}
	return nil
}

var errUndo = errors.New("undo")

// conditionsFollowTheDirectory: a write transaction picks just the rows that the
// directory would, whatever the types in SQL think of the comparison.
func conditionsFollowTheDirectory(t *testing.T, s *Store) {
	texts := rapid.SampledFrom([]string{"", "a", "A", "ab", "a_b", "aXb", "a%b", "x;y", "x;y;z", "x^3By", "x^3By;z", "a^b", "^5E", "ü", "7", "07", "10", "9"})
	whole := rapid.SampledFrom([]string{"", "0", "7", "-7", "10", "9", "abc", "9007199254740993"})
	fraction := rapid.SampledFrom([]string{"", "0", "0.5", "1.5", "-2", "10"})
	patterns := rapid.SampledFrom([]string{"%", "a%", "a_b", `a\_b`, "%b", "_", "x;%", "7", ""})
	values := rapid.SampledFrom([]string{"", "a", "ab", "a_b", "x;y", "x;y;z", "a^b", "^", "7", "07", "+7", "7.0", " 7", "-7", "10", "9", "0.5", ".5", "abc", "9007199254740992", "9007199254740993"})
	ops := rapid.SampledFrom([]directory.Op{directory.Equal, directory.Equal, directory.NotEqual, directory.Less, directory.LessEqual, directory.Greater, directory.GreaterEqual, directory.Like, directory.NotLike})
	f := familyOf(t, s, "voicemail")
	columns := rapid.SampledFrom([]string{"context", "mailbox", "fullname", "sayduration", "maxmsg", "volgain", "uniqueid", "MAILBOX"})
	check := func(rt *rapid.T) {
		execute(t, s, "DELETE FROM voicemail")
		var rows [][]string
		for range rapid.IntRange(0, 8).Draw(rt, "rows") {
			rows = append(rows, []string{texts.Draw(rt, "context"), texts.Draw(rt, "mailbox"), "", texts.Draw(rt, "fullname"), whole.Draw(rt, "sayduration"), fraction.Draw(rt, "volgain")})
		}
		if err := s.Write(t.Context(), "fill", func(w *Writer) error { return fill(t, w, f, rows) }); err != nil {
			rt.Fatal(err)
		}
		var conditions []directory.Condition
		for range rapid.IntRange(1, 3).Draw(rt, "conditions") {
			c := directory.Condition{Column: []byte(columns.Draw(rt, "column")), Op: ops.Draw(rt, "op"), Value: []byte(values.Draw(rt, "value"))}
			if c.Op == directory.Like || c.Op == directory.NotLike {
				c.Value = []byte(patterns.Draw(rt, "pattern"))
			}
			conditions = append(conditions, c)
		}
		var want []string
		table := remember(t, s, f)
		table.Find(directory.Query{Conditions: conditions}, func(r directory.Row) bool {
			want = append(want, strings.Join(directory.Encode(f, table.KeyOf(r)), "|"))
			return true
		})
		var got []string
		err := s.Write(t.Context(), "delete", func(w *Writer) error {
			keys, err := w.Delete(t.Context(), f, conditions)
			if err != nil {
				return err
			}
			for _, key := range keys {
				decoded, err := directory.Decode(f, string(family.AppendKey(nil, key...)))
				if err != nil {
					return err
				}
				got = append(got, strings.Join(directory.Encode(f, decoded), "|"))
			}
			return errUndo
		})
		if !errors.Is(err, errUndo) {
			rt.Fatal(err)
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			rt.Fatalf("%v: SQL picks %q, the directory %q", conditions, got, want)
		}
	}
	rapid.Check(t, check)
}

// TestOtherSpellingsOfAValueAreFound: SQL compares texts, the directory what they
// mean.
func TestOtherSpellingsOfAValueAreFound(t *testing.T) {
	path := t.TempDir() + "/asterism.db"
	raw := rawSQLite(t, path)
	if _, err := raw.Exec(`CREATE TABLE sippeers (name VARCHAR(40) NOT NULL UNIQUE, port VARCHAR(5), callerid TEXT);
		INSERT INTO sippeers VALUES ('100', '05060', 'x^3By;z'), ('101', '5061', 'a^5Eb^c')`); err != nil {
		t.Fatal(err)
	}
	if err := raw.Close(); err != nil {
		t.Fatal(err)
	}
	s := initialise(t, path, Options{})
	f := func(words string) {
		t.Helper()
		if _, matched, err := update(t, s, "sippeers", conditionsOf(t, words), "host=dynamic"); matched != 1 || err != nil {
			t.Errorf("%s: %d rows matched, %v", words, matched, err)
		}
	}
	f("port = 5060")
	f("port = 05061")
	f("callerid = x;y;z")
	f("callerid = a^b^c")
}
