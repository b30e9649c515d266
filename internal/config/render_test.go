package config

import (
	"fmt"
	"net/netip"
	"strings"
)

// render writes a Config as the text of a file that sets every key.
func render(c Config) string {
	var text strings.Builder
	for key, value := range inOrder(rendered(c)) {
		fmt.Fprintf(&text, "%s = %s\n", key, value)
	}
	return text.String()
}

// rendered gives every key its value as TOML.
func rendered(c Config) map[string]string {
	fields := c.fields()
	for name, client := range inOrder(c.Clients) {
		fields = append(fields, client.fields(name)...)
	}
	values := map[string]string{}
	for _, f := range fields {
		switch target := f.target.(type) {
		case *string:
			values[f.key] = renderText(*target)
		case *[]string:
			values[f.key] = renderList(*target)
		case *[]netip.Prefix:
			values[f.key] = renderList(*target)
		case *map[string]string:
			for name, text := range *target {
				values[f.key+"."+name] = renderText(text)
			}
		case *map[string][]string:
			for name, texts := range *target {
				values[f.key+"."+name] = renderList(texts)
			}
		}
	}
	return values
}

func renderList[T any](list []T) string {
	texts := make([]string, len(list))
	for i, item := range list {
		texts[i] = renderText(fmt.Sprint(item))
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

func renderText(text string) string {
	var quoted strings.Builder
	for _, r := range text {
		if r < ' ' || r == '"' || r == '\\' || r == 0x7f {
			fmt.Fprintf(&quoted, `\u%04X`, r)
			continue
		}
		quoted.WriteRune(r)
	}
	return `"` + quoted.String() + `"`
}
