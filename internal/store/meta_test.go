package store

import (
	"fmt"
	"slices"
	"testing"
)

func beat(t *testing.T, s *Store, name string, applied, seen int64) {
	t.Helper()
	if err := s.Heartbeat(t.Context(), Node{Name: name, Address: "192.0.2.1:8640", Version: "1", Applied: applied, SeenAt: seen}); err != nil {
		t.Fatal(err)
	}
}

// addAORs inserts as many rows by one transaction of plain SQL.
func addAORs(t *testing.T, s *Store, from, to int) {
	t.Helper()
	execute(t, s, "WITH RECURSIVE n(i) AS (SELECT ? UNION ALL SELECT i + 1 FROM n WHERE i < ?) INSERT INTO ps_aors (id) SELECT printf('%05d', i) FROM n", from, to)
}

func pruneTakesWhatAllLiveNodesApplied(t *testing.T, s *Store) {
	addAORs(t, s, 1, 2500)
	f := func(liveSince int64, wantPruned int, wantFirst string) {
		t.Helper()
		pruned, err := s.Prune(t.Context(), liveSince)
		if pruned != wantPruned || err != nil {
			t.Errorf("pruned %d, want %d (%v)", pruned, wantPruned, err)
		}
		expect(t, s, "SELECT min(seq) FROM asterism_changes", wantFirst)
	}
	f(100, 0, "1") // no node lives
	beat(t, s, "one", 2000, 100)
	beat(t, s, "two", 1500, 100)
	beat(t, s, "dead", 3, 50)
	f(100, prunedAtOnce, "1001")
	f(100, 500, "1501")
	f(100, 0, "1501")
	expect(t, s, "SELECT value FROM asterism_meta WHERE name = 'pruned_to'", "1500")
	beat(t, s, "two", 2500, 101)
	f(100, 500, "2001")
	f(50, 0, "2001") // by this measure the dead one lives
	reader, err := s.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if newest, pruned, err := reader.Position(t.Context()); newest != 2500 || pruned != 2000 || err != nil {
		t.Errorf("newest %d, pruned to %d, %v", newest, pruned, err)
	}
}

func numbersOfTheLogNeverRestart(t *testing.T, s *Store) {
	addAORs(t, s, 1, 3)
	beat(t, s, "one", 3, 100)
	if pruned, err := s.Prune(t.Context(), 100); pruned != 3 || err != nil {
		t.Fatal(pruned, err)
	}
	if got := newest(t, s); got != 3 {
		t.Errorf("the newest of an empty log is %d", got)
	}
	addAORs(t, s, 4, 4)
	expect(t, s, "SELECT seq FROM asterism_changes", "4")
}

func pendingCountsEntriesByFamily(t *testing.T, s *Store) {
	addAORs(t, s, 1, 30)
	after := newest(t, s)
	addAORs(t, s, 31, 35)
	execute(t, s, "INSERT INTO queues (name) VALUES ('a'), ('b')")
	reader, err := s.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	pending, err := reader.Pending(t.Context(), after)
	if len(pending) != 2 || pending["ps_aors"] != 5 || pending["queues"] != 2 || err != nil {
		t.Errorf("%v, %v", pending, err)
	}
}

func nodesAreNoted(t *testing.T, s *Store) {
	beat(t, s, "two", 1, 10)
	beat(t, s, "one", 2, 20)
	beat(t, s, "two", 5, 30)
	nodes, err := s.Nodes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, n := range nodes {
		got = append(got, fmt.Sprint(n.Name, " ", n.Applied, " ", n.SeenAt))
	}
	if want := []string{"one 2 20", "two 5 30"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
