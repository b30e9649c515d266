package soap

import "strconv"

// AppendOpen begins the answer to an operation: the envelope, the response and the two elements that every response
// begins with, the instance that answers, a word that is another after each start of a node, and the revision of its
// directory.
func AppendOpen(dst []byte, version Version, op Op, instance string, revision uint64) []byte {
	dst = append(dst, version.begin()...)
	dst = append(dst, '<')
	dst = append(dst, op.String()...)
	dst = append(dst, responseNamespace...)
	dst = appendElement(dst, "instance", instance)
	dst = append(dst, "<revision>"...)
	dst = strconv.AppendUint(dst, revision, 10)
	return append(dst, "</revision>"...)
}

// AppendClose ends what AppendOpen began; both versions end alike.
func AppendClose(dst []byte, op Op) []byte {
	dst = append(dst, "</"...)
	dst = append(dst, op.String()...)
	dst = append(dst, "Response>"...)
	return append(dst, envelopeEnd...)
}

// AppendCodecs appends the codecs of a list as the numbers table holds it: joined by commas, in order of preference.
func AppendCodecs[T Bytes](dst []byte, list T) []byte {
	for begin, at := 0, 0; at <= len(list); at++ {
		if at < len(list) && list[at] != ',' {
			continue
		}
		if codec := trimBlanks(list[begin:at]); len(codec) > 0 {
			dst = appendElement(dst, "codec", codec)
		}
		begin = at + 1
	}
	return dst
}

// Entry is a row of the numbers table. Codecs is a list as for AppendCodecs; an empty Destination or Note is absent.
type Entry[T Bytes] struct {
	Number, Tenant, Codecs, Destination, Note T
	Enabled                                   bool
}

// AppendEntry appends the row that LookupNumber found.
func AppendEntry[T Bytes](dst []byte, entry Entry[T]) []byte {
	dst = append(dst, "<entry>"...)
	dst = appendElement(dst, "number", entry.Number)
	dst = appendElement(dst, "tenant", entry.Tenant)
	dst = AppendCodecs(dst, entry.Codecs)
	if len(entry.Destination) > 0 {
		dst = appendElement(dst, "destination", entry.Destination)
	}
	dst = appendBoolean(dst, "enabled", entry.Enabled)
	if len(entry.Note) > 0 {
		dst = appendElement(dst, "note", entry.Note)
	}
	return append(dst, "</entry>"...)
}

// AppendRowOpen begins a row.
func AppendRowOpen(dst []byte) []byte { return append(dst, "<row>"...) }

// AppendField appends a column of the row and its value.
func AppendField[T Bytes](dst []byte, name, value T) []byte {
	dst = append(dst, "<field>"...)
	dst = appendElement(dst, "name", name)
	dst = appendElement(dst, "value", value)
	return append(dst, "</field>"...)
}

// AppendRowClose ends a row.
func AppendRowClose(dst []byte) []byte { return append(dst, "</row>"...) }

// AppendCount appends how many rows an update, store or destroy matched.
func AppendCount(dst []byte, count int) []byte {
	return appendInt(dst, "count", count)
}

// AppendOK appends what RealtimeRequire found.
func AppendOK(dst []byte, ok bool) []byte {
	return appendBoolean(dst, "ok", ok)
}

// Line is one line of a static configuration file.
type Line[T Bytes] struct {
	Category, VarName, VarVal T
	CatMetric                 int
}

// AppendLine appends a line of the file that RealtimeStatic was asked for.
func AppendLine[T Bytes](dst []byte, line Line[T]) []byte {
	dst = append(dst, "<line>"...)
	dst = appendElement(dst, "category", line.Category)
	dst = appendElement(dst, "var_name", line.VarName)
	dst = appendElement(dst, "var_val", line.VarVal)
	dst = appendInt(dst, "cat_metric", line.CatMetric)
	return append(dst, "</line>"...)
}

// Family is a family as a Watch that resets describes it.
type Family struct {
	Name         string
	Aliases, Key []string
	Listing      string // all, active, none or asked
}

// AppendReset appends whether the caller of Watch must forget all it knows.
func AppendReset(dst []byte, reset bool) []byte {
	return appendBoolean(dst, "reset", reset)
}

// AppendFamily appends the description of a family.
func AppendFamily(dst []byte, f Family) []byte {
	dst = appendStartTag(dst, "family")
	dst = appendElement(dst, "name", f.Name)
	for _, alias := range f.Aliases {
		dst = appendElement(dst, "alias", alias)
	}
	for _, column := range f.Key {
		dst = appendElement(dst, "key", column)
	}
	dst = appendElement(dst, "listing", f.Listing)
	return appendEndTag(dst, "family")
}

// AppendChange appends the key of rows that changed; without a key, all rows of the
// family.
func AppendChange(dst []byte, name string, key []string) []byte {
	dst = appendStartTag(dst, "change")
	dst = appendElement(dst, "family", name)
	for _, text := range key {
		dst = appendElement(dst, "key", text)
	}
	return appendEndTag(dst, "change")
}

func appendElement[T Bytes](dst []byte, name string, text T) []byte {
	dst = appendStartTag(dst, name)
	dst = appendText(dst, text)
	return appendEndTag(dst, name)
}

func appendInt(dst []byte, name string, value int) []byte {
	dst = appendStartTag(dst, name)
	dst = strconv.AppendInt(dst, int64(value), 10)
	return appendEndTag(dst, name)
}

func appendBoolean(dst []byte, name string, value bool) []byte {
	dst = appendStartTag(dst, name)
	dst = strconv.AppendBool(dst, value)
	return appendEndTag(dst, name)
}

func appendStartTag(dst []byte, name string) []byte {
	return append(append(append(dst, '<'), name...), '>')
}

func appendEndTag(dst []byte, name string) []byte {
	return append(append(append(dst, "</"...), name...), '>')
}

func trimBlanks[T Bytes](text T) T {
	begin, end := 0, len(text)
	for begin < end && isBlank(text[begin]) {
		begin++
	}
	for begin < end && isBlank(text[end-1]) {
		end--
	}
	return text[begin:end]
}
