package main

import (
	"context"
	"fmt"
)

// size is what one size of the directory gave.
type size struct {
	node     *node
	many     contender // as many connections as the peers had
	one      contender // one connection: what an answer takes when nobody else asks
	resident int64     // bytes, after all runs
}

// sizes compares directories of several sizes, all served at once and asked in
// turn over the curl wire.
func (l *lab) sizes(ctx context.Context) (string, error) {
	var sizes []*size
	for _, numbers := range l.plan.sizes {
		n, err := l.node(ctx, numbers)
		if err != nil {
			return "", err
		}
		c := contender{name: thousands(numbers) + " numbers", peer: n.server, wire: curlWire(), numbers: numbers, codecs: codecsOf}
		sizes = append(sizes, &size{node: n, many: c, one: c})
	}
	var many, one []*contender
	for _, s := range sizes {
		many, one = append(many, &s.many), append(one, &s.one)
	}
	if err := l.compare(ctx, many, l.plan.connections); err != nil {
		return "", err
	}
	if err := l.compare(ctx, one, 1); err != nil {
		return "", err
	}
	for _, s := range sizes {
		var err error
		if s.resident, err = s.node.resident(); err != nil {
			return "", fmt.Errorf("read the memory of the node: %w", err)
		}
	}
	return sizeTable(sizes), nil
}
