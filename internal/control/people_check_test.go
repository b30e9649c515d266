package control

import (
	"fmt"
	"log/slog"
	"testing"

	"github.com/google/go-cmp/cmp"

	"asterism/internal/directory"
	"asterism/internal/feed"
	"asterism/internal/store"
)

// asAsterisk writes a row without a person's checks.
func (p *People) asAsterisk(t *testing.T, name string, pairs ...string) {
	t.Helper()
	f, err := p.Store.Family(name)
	if err != nil {
		t.Fatal(err)
	}
	err = p.Store.Write(t.Context(), "write "+name, func(w *store.Writer) error {
		_, err := w.Put(t.Context(), f, texts(pairs...))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestCheckFindsRowsThatAsteriskCannotUse(t *testing.T) {
	p := newPeople(t)
	p.mustSet(t, "ps_auths", "a1", "username=u")
	p.mustSet(t, "ps_aors", "r1", "max_contacts=1")
	p.mustSet(t, "ps_endpoints", "good", "auth=a1", "aors=r1", "rtp_symmetric=yes")
	p.mustSet(t, "ps_endpoints", "lists", "auth=a1, a2", "aors=r1,r2")
	p.asAsterisk(t, "ps_endpoints", "id=maybe", "rtp_symmetric=maybe", "newer_column=x")
	p.mustSet(t, "numbers", "acme,1", "note=none")
	p.mustSet(t, "numbers", "2", "codecs=ulaw")
	var got []string
	err := p.Check(t.Context(), func(f Finding) error {
		got = append(got, fmt.Sprintf("%s %s %s: %s", f.Family, f.Key, f.Column, f.Problem))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"numbers acme,1 codecs: no codecs: every door answers as if the number were unknown",
		"ps_endpoints lists aors: no row r2 in ps_aors",
		"ps_endpoints lists auth: no row a2 in ps_auths",
		`ps_endpoints maybe rtp_symmetric: "maybe" is neither yes nor no`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestDigestEqualsThatOfANode(t *testing.T) {
	const now = 1_760_000_000
	p := newPeople(t)
	p.mustSet(t, "ps_endpoints", "6001", "set_var=A=1;B=2^3B3", "allow=ulaw", "disallow=all")
	p.mustSet(t, "ps_contacts", "6001;@old", "expiration_time=1759999999")
	p.mustSet(t, "ps_contacts", "6001;@new", "expiration_time=1760000060")
	p.asAsterisk(t, "ps_contacts", "id=6002^3B@x", "expiration_time=0", "newer_column=x;y")
	p.mustSet(t, "queue_members", "support,PJSIP/1", "paused=0")
	p.mustSet(t, "extensions", "a,100,1", "app=Dial", "appdata=PJSIP/1")
	memory := directory.New(p.Store.Families(), nil)
	if err := feed.New(p.Store, memory, slog.New(slog.DiscardHandler)).Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	digests, err := p.Digest(t.Context(), now)
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for _, got := range digests {
		want := memory.View().Table([]byte(got.Family)).Digest(now)
		if got != want {
			t.Errorf("%s: %+v in SQL, %+v in memory", got.Family, got, want)
		}
		rows += got.Rows
	}
	if rows != 5 {
		t.Errorf("%d rows, want 5: the expired contact is left out", rows)
	}
}

func TestKeysAreShownAsTheyAreTyped(t *testing.T) {
	p := newPeople(t)
	f := func(name, key string) {
		t.Helper()
		p.mustSet(t, name, key)
		table, err := p.family(name)
		if err != nil {
			t.Fatal(err)
		}
		scan, err := p.Store.Scan()
		if err != nil {
			t.Fatal(err)
		}
		defer scan.Close()
		shown := ""
		into := newAssembler(table, func(r row) error { shown += typedKeyOf(table, r); return nil })
		if err := scan.All(t.Context(), table, into); err != nil || shown != key {
			t.Errorf("%s: %q, want %q, %v", name, shown, key, err)
		}
		if err := p.Delete(t.Context(), name, key); err != nil {
			t.Error(err)
		}
	}
	f("ps_contacts", "6001;@c4fa")
	f("ps_aors", "a%2Cb")
	f("numbers", "+14155550100")
	f("numbers", "acme,+14155550100")
}
