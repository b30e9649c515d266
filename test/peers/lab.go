package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strconv"
)

// lab is all that runs while it is measured.
type lab struct {
	plan    plan
	folder  string
	log     io.Writer
	script  string
	binary  string // asterism
	nodes   map[int]*node
	servers []*server // to be ended
	chart   string
	others  []float64 // of the runs beside the peers
}

func (l *lab) say(format string, arguments ...any) {
	fmt.Fprintf(l.log, format+"\n", arguments...)
}

// end ends every process, the last first.
func (l *lab) end() error {
	var faults []error
	for i := len(l.servers) - 1; i >= 0; i-- {
		faults = append(faults, l.servers[i].end())
	}
	return errors.Join(faults...)
}

// keep remembers to end a server, also one that never came to serve.
func (l *lab) keep(s *server) {
	if s != nil {
		l.servers = append(l.servers, s)
	}
}

// prepare builds what all sections need.
func (l *lab) prepare(ctx context.Context) (err error) {
	if l.script, err = writeScript(l.folder); err != nil {
		return err
	}
	l.nodes = map[int]*node{}
	l.binary, err = buildAsterism(ctx, l.folder)
	return err
}

// node returns a serving node with so many numbers; the first call makes it.
func (l *lab) node(ctx context.Context, numbers int) (*node, error) {
	if n := l.nodes[numbers]; n != nil {
		return n, nil
	}
	n, err := startNode(ctx, l.binary, filepath.Join(l.folder, strconv.Itoa(numbers)), numbers)
	if n != nil {
		l.keep(n.server)
	}
	if err != nil {
		return nil, err
	}
	l.say("%d numbers loaded in %.1f s, ready in %.1f s", numbers, n.loaded.Seconds(), n.ready.Seconds())
	l.nodes[numbers] = n
	return n, nil
}

// contender is one line of a comparison.
type contender struct {
	name    string
	peer    *server
	wire    wire
	numbers int
	codecs  func(i int) string // what it must answer for the i-th number
	runs    []figures
}

// constantCodecs is what the peers answer whatever they are asked.
func constantCodecs(int) string { return codecsOf(0) }

// check asks for some numbers: what answers wrong is not worth measuring.
func (c *contender) check() error {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		i := random.IntN(c.numbers)
		answer, err := c.wire.ask(c.peer.address, firstNumber+i)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		if got, want := c.wire.codecs(answer), c.codecs(i); got != want {
			return fmt.Errorf("%s says %q for number %d, want %q, in %.600s", c.name, got, firstNumber+i, want, answer)
		}
	}
	return nil
}

// compare measures all in alternation, each warmed up before each run.
func (l *lab) compare(ctx context.Context, contenders []*contender, connections int) error {
	for _, c := range contenders {
		if err := c.check(); err != nil {
			return err
		}
	}
	for round := range l.plan.rounds {
		for _, c := range contenders {
			warm := load{script: l.script, peer: c.peer, wire: c.wire, numbers: c.numbers, connections: connections, length: l.plan.warm, seed: 2 * round}
			if _, err := warm.run(ctx); err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			measured := warm
			measured.length, measured.seed = l.plan.measured, 2*round+1
			f, err := measured.run(ctx)
			if err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			c.runs = append(c.runs, f)
			l.say("round %d, %s, %d connections: %.1f µs CPU, %.0f/s, p50 %v, p99 %v, %d errors%s, others %.0f %%", round+1, c.name, connections,
				f.microseconds(), f.perSecond(), f.P50, f.P99, f.Errors, f.Kinds, 100*f.Others)
		}
	}
	return nil
}
