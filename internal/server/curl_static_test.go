package server

import (
	"strings"
	"testing"
)

// staticLines gives the lines of an answer as "cat_metric category var_name=var_val",
// and fails when a line lacks one of the four keys or has another: Asterisk
// carries values over from the line before.
func staticLines(t *testing.T, answer string) (out []string) {
	t.Helper()
	for line := range strings.Lines(answer) {
		var values []string
		pairs := strings.Split(strings.TrimSuffix(line, "\n"), "&")
		for i, key := range []string{"cat_metric", "category", "var_name", "var_val"} {
			if len(pairs) != 4 || !strings.HasPrefix(pairs[i], key+"=") {
				t.Fatalf("a line without exactly the four keys: %q", line)
			}
			values = append(values, strings.TrimPrefix(pairs[i], key+"="))
		}
		out = append(out, values[0]+" "+values[1]+" "+values[2]+"="+values[3])
	}
	return out
}

func TestStaticFilesInTheOrderOfTheOtherEngines(t *testing.T) {
	t.Parallel()
	s, o := seeded(t, `INSERT INTO ast_config (filename, cat_metric, var_metric, category, var_name, var_val, commented) VALUES
		('queues.conf', 1, 10, 'support', 'timeout', '15', 0),
		('queues.conf', 1, 9, 'support', 'strategy', 'ringall', 0),
		('queues.conf', 10, 0, 'general', 'persistentmembers', 'yes', NULL),
		('queues.conf', 9, 0, 'general', 'autofill', '', 0),
		('queues.conf', 1, 9, 'sales', 'strategy', 'linear', 0),
		('queues.conf', 1, 9, 'sales', 'musicclass', 'default', 0),
		('queues.conf', 1, 9, 'sales', 'weight', '7', 1),
		('queues.conf', NULL, NULL, 'last', 'member', 'PJSIP/1;2^3B3', 0),
		('other.conf', 1, 1, 'x', 'y', 'z', 0)`)
	f := func(file string, want ...string) {
		t.Helper()
		_, got := s.get(t, "/rt/ast_config/static?file="+file)
		if got, want := strings.Join(staticLines(t, got), "\n"), strings.Join(want, "\n"); got != want {
			t.Errorf("%s is\n%s\nwant\n%s", file, got, want)
		}
	}
	f("queues.conf",
		"10 general persistentmembers=yes",
		"9 general autofill=",
		"1 sales musicclass=default",
		"1 sales strategy=linear",
		"1 support strategy=ringall",
		"1 support timeout=15",
		"0 last member=PJSIP%2F1%3B2%5E3B3") // a static table holds its values as they are
	f("other.conf", "1 x y=z")
	f("nosuch.conf")
	f("")
	o.exec(`UPDATE ast_config SET var_val = 'w' WHERE filename = 'other.conf'`)
	soon(t, "the changed line is answered", func() bool {
		_, got := s.get(t, "/rt/ast_config/static?file=other.conf")
		return got == "cat_metric=1&category=x&var_name=y&var_val=w\n"
	})
	if status, got := s.get(t, "/rt/ps_aors/static?file=x"); status != 400 || got != "" {
		t.Errorf("a table that holds no files answers %d %q, want 400 and nothing", status, got)
	}
}

func TestIncludesAreExpandedInPlace(t *testing.T) {
	t.Parallel()
	s, _ := seeded(t, `INSERT INTO ast_config (filename, cat_metric, var_metric, category, var_name, var_val, commented) VALUES
		('a.conf', 2, 1, 'first', 'one', '1', 0),
		('a.conf', 2, 2, 'first', '#include', 'b.conf', 0),
		('a.conf', 2, 3, 'first', 'two', '2', 0),
		('a.conf', 1, 1, 'second', '#include', 'missing.conf', 0),
		('b.conf', 1, 1, 'inner', 'x', 'y', 0),
		('b.conf', 1, 2, 'inner', '#include', 'c.conf', 0),
		('c.conf', 1, 1, 'innermost', 'z', '', 0),
		('c.conf', 0, 1, 'innermost', '#include', 'a.conf', 0)`)
	f := func(file string, want ...string) {
		t.Helper()
		_, got := s.get(t, "/rt/ast_config/static?file="+file)
		if got, want := strings.Join(staticLines(t, got), "\n"), strings.Join(want, "\n"); got != want {
			t.Errorf("%s is\n%s\nwant\n%s", file, got, want)
		}
	}
	// A file that includes itself, however far down, is not read again there.
	f("a.conf", "2 first one=1", "1 inner x=y", "1 innermost z=", "2 first two=2", "1 second %23include=missing.conf")
	f("c.conf", "1 innermost z=", "2 first one=1", "1 inner x=y", "2 first two=2", "1 second %23include=missing.conf")
}
