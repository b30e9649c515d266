package trace

import (
	"iter"
	"time"
	"unicode/utf8"

	"asterism/internal/directory"
	"asterism/internal/family"
)

// cutMark ends a value or a list that goes on.
const cutMark = "…"

// Line is what is told of an exchange. Its texts are column=value, in the form
// that travels: decoded, a text for each of several values.
type Line struct {
	Time         time.Time  `json:"time"`
	Client       string     `json:"client"`
	Wire         string     `json:"wire"`
	Verb         string     `json:"verb"`
	Family       string     `json:"family"`
	Conditions   []string   `json:"conditions"`
	Fields       []string   `json:"fields"` // written
	Outcome      Outcome    `json:"outcome"`
	Rows         int        `json:"rows"`
	Error        string     `json:"error"`
	Answer       [][]string `json:"answer"` // the rows with the traced key; all where none has it
	Microseconds float64    `json:"microseconds"`
	// Dropped is how many lines before this one were left out, since they were
	// not read in time. A line without an outcome tells of nothing else.
	Dropped uint64 `json:"dropped"`
}

// line makes what is told of an exchange.
func (s *subject) line(e *Exchange) Line {
	l := Line{
		Time: e.Time, Client: e.Client.String(), Wire: e.Wire, Verb: e.Verb, Family: shorten(e.family()), Outcome: e.Outcome, Rows: e.Count,
		Error: e.Why, Microseconds: float64(e.Took.Nanoseconds()/100) / 10,
	}
	conditions := room{left: MaxShownPart, static: e.static()}
	fields := conditions
	for _, c := range e.Conditions {
		conditions.add(string(c.Column), c.Op, string(c.Value))
	}
	for _, f := range e.Fields {
		fields.add(string(f.Name), directory.Equal, string(f.Value))
	}
	l.Conditions, l.Fields, l.Answer = conditions.texts, fields.texts, s.rows(e)
	return l
}

// rows shows answered rows as far as there is room.
func (s *subject) rows(e *Exchange) (out [][]string) {
	r := room{left: MaxShownRows, static: e.static()}
	for row := range s.chosen(e) {
		if r.left <= 0 {
			return out
		}
		r.texts = nil
		for i := range row.Len() {
			if column, value := row.At(i); column < e.Table.Columns().Len() {
				r.add(e.Table.Columns().Name(column), directory.Equal, value)
			}
		}
		out = append(out, r.texts)
	}
	return out
}

// chosen yields the answered rows that have the traced key; all where none has.
func (s *subject) chosen(e *Exchange) iter.Seq[directory.Row] {
	own := func(yield func(directory.Row) bool) {
		for row := range e.each {
			if s.is(e.Table, row) && !yield(row) {
				return
			}
		}
	}
	if s.key != nil {
		for range own {
			return own
		}
	}
	return e.each
}

// room collects texts until it is full.
type room struct {
	texts  []string
	left   int
	static bool // of a table of static files
}

// add puts a copy of a text, cut. Of a static file no value is shown: it may be a line of
// voicemail.conf with a PIN, or a password of manager.conf.
func (r *room) add(column string, op directory.Op, value string) {
	if r.left <= 0 {
		return
	}
	if family.Secret(column) || r.static && column == "var_val" {
		value = family.Hidden
	}
	text := shorten(column) + op.String() + shorten(value)
	if r.left -= len(text); r.left <= 0 {
		text = cutMark
	}
	r.texts = append(r.texts, text)
}

// shorten cuts a text at a character's end.
func shorten(text string) string {
	if len(text) <= MaxShownValue {
		return text
	}
	end := MaxShownValue
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + cutMark
}
