package control

import (
	"context"
	"errors"

	"asterism/internal/family"
	"asterism/internal/store"
)

// errEnough ends a reading whose limit is reached; it never leaves this package.
var errEnough = errors.New("enough rows")

// List yields the rows of a family whose columns have just the given texts (an
// empty text: no value), all rows without conditions; at most limit when that is
// not 0. A row holds until yield returns; an error of yield ends the list.
func (p *People) List(ctx context.Context, name string, conditions []store.Text, limit int, yield func([]store.Text) error) error {
	f, err := p.family(name)
	if err != nil {
		return err
	}
	if err := checkConditions(f, conditions); err != nil {
		return err
	}
	var texts []store.Text
	yielded := 0
	into := newAssembler(f, func(r row) error {
		texts = r.texts(texts[:0])
		if err := yield(texts); err != nil {
			return err
		}
		if yielded++; yielded == limit {
			return errEnough
		}
		return nil
	})
	err = p.read(ctx, f, conditions, into)
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

func checkConditions(f *family.Family, conditions []store.Text) error {
	var faults Faults
	for _, c := range conditions {
		if _, known := f.Position(c.Column); !known {
			faults = append(faults, unknownColumn("list "+f.Name, f, c.Column))
		}
	}
	return faults.err()
}

func (p *People) read(ctx context.Context, f *family.Family, conditions []store.Text, into store.Rows) error {
	if len(conditions) == 0 {
		scan, err := p.Store.Scan()
		if err != nil {
			return err
		}
		defer scan.Close()
		return scan.All(ctx, f, into)
	}
	reader, err := p.Store.Read(ctx)
	if err != nil {
		return err
	}
	defer reader.Close()
	columns := make([]string, len(conditions))
	texts := make([]string, len(conditions))
	for i, c := range conditions {
		columns[i], texts[i] = c.Column, c.Text
	}
	return reader.Where(ctx, f, columns, texts, into)
}
