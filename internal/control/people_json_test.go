package control

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzReadObject compares with encoding/json: the same members, and nothing read
// of what is no object.
func FuzzReadObject(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"a":1}`, ` {"a" : "b\"\\\u00e9" , "c":null}`, `{"a":{"b":["}"]},"c":true}`, `{"a":-1.5e3,"b":false}`,
		`[1]`, `"a"`, `1`, `null`, `{`, `{"a"}`, `{"a":1,}`, `{"\u0061":"\ud83d\ude00"}`, "{\"a\":\"\xff\"}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) == 0 || text[0] != '{' && text[0] != '[' {
			return // jsonLines takes blanks off and skips blank lines
		}
		got := map[string]string{}
		nested := map[string]bool{}
		bad := readObject(text, func(name, value, problem string) { got[name], nested[name] = value, problem != "" })
		var want map[string]json.RawMessage
		if err := json.Unmarshal(text, &want); (err == nil) != (bad == "") {
			t.Fatalf("%q: %q, but encoding/json: %v", text, bad, err)
		}
		for name, raw := range want {
			if !json.Valid([]byte(`"`+name+`"`)) || len(got) != len(want) {
				return // names that differ only in what UTF-8 can't say
			}
			if isNested := raw[0] == '{' || raw[0] == '['; isNested != nested[name] {
				t.Errorf("%q: %s nested: %v", text, name, nested[name])
			}
			var value string // with a replacement where the text is no UTF-8, which a load refuses
			if json.Unmarshal(raw, &value) == nil && raw[0] == '"' && value != got[name] && !strings.ContainsRune(value, utf8.RuneError) {
				t.Errorf("%q: %s is %q, want %q", text, name, got[name], value)
			}
		}
	})
}
