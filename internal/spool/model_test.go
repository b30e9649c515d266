package spool

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"asterism/internal/directory"
)

// model is what a node should show: the acknowledged writes, one after the other.
type model struct {
	contacts map[string]map[string]string // id: column: value
	ports    map[string]string            // of peers: Asterisk's column
	secrets  map[string]string            // of peers: the operator's column
	log      []string
}

// machine drives a node and the model by random steps.
type machine struct {
	node  *node
	model model
	next  int // makes each value another one
}

const peers = "INSERT INTO sippeers (name, secret) VALUES ('100', 's0'), ('101', 's0')"

var (
	refusing = []string{
		"CREATE TRIGGER IF NOT EXISTS picky_insert BEFORE INSERT ON ps_contacts WHEN NEW.via_port % 2 = 0 BEGIN SELECT RAISE(ABORT, 'even'); END",
		"CREATE TRIGGER IF NOT EXISTS picky_update BEFORE UPDATE ON ps_contacts WHEN NEW.via_port % 2 = 0 BEGIN SELECT RAISE(ABORT, 'even'); END",
	}
	taking = []string{"DROP TRIGGER IF EXISTS picky_insert", "DROP TRIGGER IF EXISTS picky_update"}
)

func newMachine(t *testing.T) *machine {
	return &machine{node: start(t, peers), model: model{
		contacts: make(map[string]map[string]string), ports: map[string]string{"100": "", "101": ""}, secrets: map[string]string{"100": "s0", "101": "s0"},
	}}
}

func (m *machine) value() string {
	m.next++
	return fmt.Sprint(m.next)
}

var (
	someContact = rapid.SampledFrom([]string{"a", "b", "c"})
	somePeer    = rapid.SampledFrom([]string{"100", "101"})
	someColumn  = rapid.SampledFrom([]string{"uri", "via_port", "novel"})
)

func (m *machine) steps(t *testing.T) map[string]func(*rapid.T) {
	return map[string]func(*rapid.T){
		"put": func(rt *rapid.T) {
			id, column, value := someContact.Draw(rt, "id"), someColumn.Draw(rt, "column"), m.value()
			if m.model.contacts[id] == nil {
				m.model.contacts[id] = make(map[string]string)
			}
			m.model.contacts[id][column] = value
			m.node.write(t, contact(id, column+"="+value))
		},
		"change": func(rt *rapid.T) {
			id, column, value := someContact.Draw(rt, "id"), someColumn.Draw(rt, "column"), m.value()
			if m.model.contacts[id] == nil {
				rt.Skip("no such contact")
			}
			if rapid.Bool().Draw(rt, "clear") {
				value = ""
			}
			m.model.contacts[id][column] = value
			m.node.write(t, write(directory.Change, "ps_contacts", id, column+"="+value))
		},
		"delete": func(rt *rapid.T) {
			id := someContact.Draw(rt, "id")
			delete(m.model.contacts, id)
			m.node.write(t, write(directory.Delete, "ps_contacts", id))
		},
		"register": func(rt *rapid.T) {
			name, port := somePeer.Draw(rt, "name"), m.value()
			m.model.ports[name] = port
			m.node.write(t, write(directory.Change, "sippeers", name, "port="+port))
		},
		"edit": func(rt *rapid.T) {
			name, secret := somePeer.Draw(rt, "name"), "s"+m.value()
			m.model.secrets[name] = secret
			m.node.exec(t, fmt.Sprintf("UPDATE sippeers SET secret = '%s' WHERE name = '%s'", secret, name))
		},
		"log": func(*rapid.T) {
			value := m.value()
			m.model.log = append(m.model.log, value)
			m.node.write(t, event(value))
		},
		"flush": func(rt *rapid.T) {
			if _, err := m.node.spool.flushOnce(t.Context()); err != nil {
				rt.Fatal(err)
			}
		},
		"crash": func(*rapid.T) {
			crashed := m.node.crash(t)
			m.node.stop()
			m.node = crashed
		},
		"crash before forgetting": func(rt *rapid.T) {
			var crashed *node
			m.node.reader.before = func() error {
				if crashed == nil {
					crashed = m.node.crash(t)
				}
				return nil
			}
			if _, err := m.node.spool.flushOnce(t.Context()); err != nil {
				rt.Fatal(err)
			}
			m.node.reader.before = nil
			if crashed != nil { // else there was nothing to read back
				m.node.stop()
				m.node = crashed
			}
		},
		"refuse": func(*rapid.T) { m.node.exec(t, refusing...) }, // from now on SQL refuses every other row
		"mend":   func(*rapid.T) { m.node.exec(t, taking...) },
		"":       func(rt *rapid.T) { m.compare(rt, t) },
	}
}

// compare holds what readers see against the model.
func (m *machine) compare(rt *rapid.T, t *testing.T) {
	if err := m.node.feed.CatchUp(t.Context()); err != nil {
		rt.Fatal(err)
	}
	if got, want := m.node.rows("ps_contacts"), m.contacts("&"); !slices.Equal(got, want) {
		rt.Fatalf("contacts %q, want %q", got, want)
	}
	var want []string
	for i, name := range []string{"100", "101"} {
		port := m.model.ports[name]
		if port != "" {
			port = "&port=" + port
		}
		want = append(want, fmt.Sprintf("id=%d&name=%s%s&secret=%s", i+1, name, port, m.model.secrets[name]))
	}
	if got := m.node.rows("sippeers"); !slices.Equal(got, want) {
		rt.Fatalf("peers %q, want %q", got, want)
	}
}

func (m *machine) contacts(between string) []string {
	out := []string{}
	for id, values := range m.model.contacts {
		pairs := []string{"id=" + id}
		for _, column := range []string{"uri", "via_port", "novel"} {
			if values[column] != "" {
				pairs = append(pairs, column+"="+values[column])
			}
		}
		out = append(out, strings.Join(pairs, between))
	}
	slices.Sort(out)
	return out
}

// finish flushes all, what was refused too, and holds SQL against the model.
func (m *machine) finish(rt *rapid.T, t *testing.T) {
	m.node.drain(t)
	m.node.exec(t, taking...)
	for id, values := range m.model.contacts {
		values["novel"] = m.value()
		m.node.write(t, write(directory.Change, "ps_contacts", id, "novel="+values["novel"]))
	}
	m.node.drain(t)
	m.compare(rt, t)
	if state := m.node.spool.State(); state != (State{}) {
		rt.Fatalf("state %+v", state)
	}
	f := func(query, want string) {
		if got := m.node.inSQL(t, query); got != want {
			rt.Fatalf("%s: %q, want %q", query, got, want)
		}
	}
	f("SELECT event FROM queue_log ORDER BY id", strings.Join(m.model.log, ","))
	f("SELECT name || coalesce(port, '') || secret FROM sippeers ORDER BY name",
		"100"+m.model.ports["100"]+m.model.secrets["100"]+",101"+m.model.ports["101"]+m.model.secrets["101"])
	f(`SELECT 'id=' || id || iif(coalesce(uri, '') = '', '', ' uri=' || uri) || iif(via_port IS NULL, '', ' via_port=' || via_port) ||
		coalesce((SELECT ' novel=' || value FROM asterism_extra WHERE family = 'ps_contacts' AND row_key = json_array(id)), '') AS row FROM ps_contacts ORDER BY row`,
		strings.Join(m.contacts(" "), ","))
	if overlaid := m.node.directory.Overlaid(); overlaid != 0 {
		rt.Fatalf("%d overlays are left", overlaid)
	}
}

// TestRandomWritesFlushesAndCrashesEndAsTheModelSays: whatever happens in
// between, readers see every acknowledged write, and SQL gets each just once.
func TestRandomWritesFlushesAndCrashesEndAsTheModelSays(t *testing.T) {
	// Each life of a node costs as much as hundreds of other steps.
	for name, value := range map[string]string{"rapid.checks": "5", "rapid.steps": "40"} {
		former := flag.Lookup(name).Value.String()
		if err := flag.Set(name, value); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = flag.Set(name, former) })
	}
	check := func(rt *rapid.T) {
		m := newMachine(t)
		defer func() { m.node.stop() }()
		rt.Repeat(m.steps(t))
		m.finish(rt, t)
	}
	rapid.Check(t, check)
}
