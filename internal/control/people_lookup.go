package control

import (
	"context"
	"fmt"

	"asterism/internal/directory"
	"asterism/internal/failure"
	"asterism/internal/family"
	"asterism/internal/number"
)

// Lookup gives the codecs of a number, joined by ","; the error's kind is Absent
// when the number is unknown. It applies the doors' own rule to the few rows
// that it needs.
func (p *People) Lookup(ctx context.Context, tenant, digits string) (string, error) {
	f, err := p.family(number.Family)
	if err != nil {
		return "", err
	}
	reader, err := p.Store.Read(ctx)
	if err != nil {
		return "", err
	}
	defer reader.Close()
	few := directory.New([]*family.Family{f}, nil)
	rebuild := few.Begin(f)
	builder := directory.NewBuilder(nil)
	into := newAssembler(f, func(r row) error {
		rebuild.Add(r.build(builder))
		return nil
	})
	into.learn = rebuild.Columns
	keys := [][]string{directory.Encode(f, []string{tenant, digits})}
	if tenant != "" {
		keys = append(keys, directory.Encode(f, []string{"", digits}))
	}
	if err := reader.Buckets(ctx, f, keys, into); err != nil {
		rebuild.Cancel()
		return "", err
	}
	rebuild.Commit()
	codecs := number.Codecs(few.View().Table([]byte(f.Name)), []byte(tenant), []byte(digits))
	if codecs == "" {
		return "", &failure.Error{Kind: failure.Absent, Field: "number", Message: fmt.Sprintf("no codecs are known of number %s", digits)}
	}
	return codecs, nil
}
