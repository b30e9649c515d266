package store

import (
	"errors"
	"strconv"

	"asterism/internal/directory"
	"asterism/internal/family"
)

// appendEntry appends a write as the journal keeps it: one list of texts, spelled
// like a row key, since values need not be UTF-8 and must come back as they were:
// kind, time, family, number of key texts, these, and for each value its column,
// the number of texts and these.
func appendEntry(dst []byte, w directory.Write) []byte {
	texts := make([]string, 0, 4+len(w.Key)+3*len(w.Values))
	texts = append(texts, string(w.Kind), strconv.FormatInt(w.At, 10), w.Family, strconv.Itoa(len(w.Key)))
	texts = append(texts, w.Key...)
	for _, v := range w.Values {
		texts = append(texts, v.Column, strconv.Itoa(len(v.Values)))
		texts = append(texts, v.Values...)
	}
	return family.AppendKey(dst, texts...)
}

var errCutEntry = errors.New("the entry is cut off")

// parseEntry reads what appendEntry wrote.
func parseEntry(body string) (w directory.Write, err error) {
	texts, err := family.SplitKey(body)
	if err != nil {
		return w, err
	}
	if len(texts) < 4 {
		return w, errCutEntry
	}
	w.Kind, w.Family = directory.WriteKind(texts[0]), texts[2]
	if w.At, err = strconv.ParseInt(texts[1], 10, 64); err != nil {
		return w, err
	}
	w.Key, texts, err = takeList(texts[3:])
	for err == nil && len(texts) > 0 {
		v := directory.Value{Column: texts[0]}
		if v.Values, texts, err = takeList(texts[1:]); err == nil {
			w.Values = append(w.Values, v)
		}
	}
	return w, err
}

// takeList takes a number and so many texts off the front.
func takeList(texts []string) (list, rest []string, err error) {
	if len(texts) == 0 {
		return nil, nil, errCutEntry
	}
	n, err := strconv.Atoi(texts[0])
	if err != nil {
		return nil, nil, err
	}
	if n < 0 || n > len(texts)-1 {
		return nil, nil, errCutEntry
	}
	if n > 0 {
		list = texts[1 : 1+n : 1+n]
	}
	return list, texts[1+n:], nil
}
