package restapi

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"asterism/internal/directory"
)

// FamilyDigest is one family's sum: rows and a hash of all rows in memory that
// does not depend on their order; the same on every node that shows the same,
// and the same as `asterism check --digest` computes from SQL.
type FamilyDigest struct {
	Family string `json:"family"`
	Rows   int    `json:"rows"`
	Hash   string `json:"hash"`
}

// FamilyDigestOf spells a digest as the API and the command do.
func FamilyDigestOf(d directory.Digest) FamilyDigest {
	return FamilyDigest{Family: d.Family, Rows: d.Rows, Hash: fmt.Sprintf("%016x", d.Hash)}
}

// Register adds the API to a mux.
func Register(mux *http.ServeMux, d *directory.Directory, now func() time.Time, log *slog.Logger) {
	mux.HandleFunc("GET /api/v1/digest", func(w http.ResponseWriter, r *http.Request) {
		view := d.View()
		out := make([]FamilyDigest, 0, len(view.Tables()))
		for _, table := range view.Tables() {
			if !table.Family().AppendOnly {
				out = append(out, FamilyDigestOf(table.Digest(now().Unix())))
			}
		}
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(out); err != nil {
			log.Debug("an answer could not be sent", "path", r.URL.Path, "error", err)
		}
	})
}
