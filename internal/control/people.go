package control

import (
	"context"
	"fmt"
	"time"

	"asterism/internal/failure"
	"asterism/internal/family"
	"asterism/internal/store"
)

// publishedWithin is how long a change of a person waits until the serving node
// shows it.
const publishedWithin = 2 * time.Second

// People does what people change and ask, straight in the store, so that it
// works whether or not a node serves. Keys come as people type them
// (family.TypedKey); values are texts as SQL holds them.
type People struct {
	Store *store.Store
	// Published waits until the serving node shows every change made so far;
	// nil when nobody serves.
	Published func(context.Context) error
}

// WaitPublished returns once the serving node, if any, shows what was changed;
// an error after two seconds means that the change is made but not yet shown.
func (p *People) WaitPublished(ctx context.Context) error {
	if p.Published == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, publishedWithin)
	defer cancel()
	return p.Published(ctx)
}

// Get gives the row of a key, its columns in the order of answers, empty ones
// left out. Of several rows that share a key it gives the first; Rows gives all.
func (p *People) Get(ctx context.Context, name, typedKey string) ([]store.Text, error) {
	rows, err := p.Rows(ctx, name, typedKey)
	if err != nil {
		return nil, err
	}
	return rows[0], nil
}

// Rows gives all rows of a key, at least one; the error's kind is Absent when
// there is none. Only families such as queue_rules have several.
func (p *People) Rows(ctx context.Context, name, typedKey string) (rows [][]store.Text, err error) {
	f, key, err := p.keyed(name, typedKey)
	if err != nil {
		return nil, err
	}
	reader, err := p.Store.Read(ctx)
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	into := newAssembler(f, func(r row) error {
		rows = append(rows, r.texts(nil))
		return nil
	})
	if err := reader.Buckets(ctx, f, [][]string{key}, into); err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, absent(f, typedKey)
	}
	return rows, nil
}

// Delete deletes all rows of a key; the error's kind is Absent when there is none.
func (p *People) Delete(ctx context.Context, name, typedKey string) error {
	f, key, err := p.keyed(name, typedKey)
	if err != nil {
		return err
	}
	return p.Store.Write(ctx, "delete "+f.Name+" "+typedKey, func(w *store.Writer) error {
		deleted, err := w.DeleteKey(ctx, f, key)
		if err == nil && deleted == 0 {
			return absent(f, typedKey)
		}
		return err
	})
}

func absent(f *family.Family, typedKey string) error {
	return &failure.Error{Kind: failure.Absent, Field: "key", Message: fmt.Sprintf("no row %s in %s", typedKey, f.Name)}
}

// family finds a family of the store.
func (p *People) family(name string) (*family.Family, error) {
	return FindFamily(p.Store.Families(), name)
}

// keyed finds a family and reads a key of it: texts as SQL holds them.
func (p *People) keyed(name, typedKey string) (*family.Family, []string, error) {
	f, err := p.family(name)
	if err != nil {
		return nil, nil, err
	}
	key, err := f.TypedKey(typedKey)
	if err != nil {
		return nil, nil, &failure.Error{Kind: failure.Invalid, Field: "key", Message: err.Error()}
	}
	return f, key, nil
}
