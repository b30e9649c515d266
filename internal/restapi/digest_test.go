package restapi

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"asterism/internal/directory"
	"asterism/internal/family"
)

func TestDigestTellsDirectoriesApart(t *testing.T) {
	f, err := family.Standard().Family("ps_contacts")
	if err != nil {
		t.Fatal(err)
	}
	digest := func(contacts ...[2]string) FamilyDigest {
		t.Helper()
		d := directory.New([]*family.Family{f}, nil)
		for _, c := range contacts {
			b := directory.NewBuilder(d.View().Table([]byte(f.Name)).Columns())
			for i, name := range []string{"id", "expiration_time"} {
				at, _ := d.View().Table([]byte(f.Name)).Columns().Position(name)
				b.Add(at, c[i])
			}
			d.Publish(f.Name, []directory.Bucket{{Key: c[:1], Rows: []directory.Row{b.Row()}}})
		}
		mux := http.NewServeMux()
		Register(mux, d, func() time.Time { return time.Unix(1000, 0) }, slog.New(slog.DiscardHandler))
		answer := httptest.NewRecorder()
		mux.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/api/v1/digest", nil))
		var out []FamilyDigest
		if err := json.Unmarshal(answer.Body.Bytes(), &out); err != nil || len(out) != 1 {
			t.Fatalf("%v in %s", err, answer.Body)
		}
		return out[0]
	}
	a, b, expired := [2]string{"a", "2000"}, [2]string{"b", "3000"}, [2]string{"c", "999"}
	if digest(a, b) != digest(b, a) {
		t.Error("the order of changes shows")
	}
	if digest(a, b, expired) != digest(a, b) {
		t.Error("an expired contact counts")
	}
	if digest(a) == digest(b) || digest(a, b).Rows != 2 {
		t.Error("different rows have one digest")
	}
}
