package control

import (
	"strings"
	"testing"

	"asterism/internal/failure"
	"asterism/internal/store"
)

// A quote that does not end swallows the lines behind it; to skip "the bad line"
// would lose good rows without a word.
func TestAQuoteThatSwallowsLinesStopsALoad(t *testing.T) {
	s, err := store.Init(t.Context(), "sqlite:"+t.TempDir()+"/asterism.db", store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	p := &People{Store: s}
	text := "number,codecs\n1,ulaw\n2,\"ulaw\n3,ulaw\n4,ulaw\n"
	loaded, err := p.Load(t.Context(), "numbers", strings.NewReader(text), LoadOptions{SkipBad: true})
	if failure.KindOf(err) != failure.Invalid || loaded.Rows != 0 || !strings.Contains(err.Error(), "lines 3 to 5") {
		t.Errorf("%d rows, %v", loaded.Rows, err)
	}
}
