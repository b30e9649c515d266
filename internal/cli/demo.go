package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"asterism/internal/bench"
	"asterism/internal/config"
	"asterism/internal/control"
	"asterism/internal/server"
	"asterism/internal/store"
)

func newDemoCmd(d deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Show what it does, in a temporary folder: 20,000 numbers and phones, asked and measured",
		Args:  arguments(0, 0),
	}
	exit := cmd.Flags().Bool("exit", false, "end when all is shown, instead of serving on until interrupted")
	asJSON := cmd.Flags().Bool("json", false, "print the measured figures as JSON, nothing else")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		show := &demo{deps: d, say: d.out, stay: !*exit, json: *asJSON}
		if *asJSON {
			show.say = io.Discard
		}
		return show.run(cmd.Context())
	}
	return cmd
}

// demo is one demonstration.
type demo struct {
	deps
	say        io.Writer
	stay, json bool
	folder     string
	config     config.Config
	at         server.Addresses
}

// run makes everything in a temporary folder, shows it, and takes it away.
func (m *demo) run(ctx context.Context) (err error) {
	if m.folder, err = os.MkdirTemp("", "asterism-demo-"); err != nil {
		return fmt.Errorf("make a temporary folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(m.folder)) }()
	m.config = config.Default()
	m.config.Node.Name = "demo"
	m.config.Node.State = filepath.Join(m.folder, "state")
	m.config.Store.URL = "sqlite:" + filepath.Join(m.folder, "asterism.db")
	m.config.Asterisk.Listen = freeAddress(m.config.Asterisk.Listen)
	m.config.People.Listen = freeAddress(m.config.People.Listen)
	if err := m.fill(ctx); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ready, ended := make(chan server.Addresses, 1), make(chan error, 1)
	log := slog.New(slog.NewTextHandler(m.err, &slog.HandlerOptions{Level: slog.LevelWarn}))
	go func() {
		ended <- server.Serve(ctx, m.config, server.Options{Log: log, Version: "demo", Ready: func(a server.Addresses) { ready <- a }})
	}()
	select {
	case m.at = <-ready:
	case err := <-ended:
		return err
	}
	err = m.show(ctx)
	if err == nil && m.stay {
		fmt.Fprintln(m.say, "\nServing until interrupted (Ctrl-C).")
		<-ctx.Done()
	}
	cancel()
	return errors.Join(err, <-ended)
}

// freeAddress gives the usual address, or one with any port when it is taken.
func freeAddress(usual string) string {
	listener, err := net.Listen("tcp", usual)
	if err != nil {
		return "127.0.0.1:0"
	}
	_ = listener.Close() // it was only a try
	return usual
}

// fill makes the store and loads numbers and phones into it.
func (m *demo) fill(ctx context.Context) error {
	s, err := store.Init(ctx, m.config.Store.URL, store.Options{})
	if err != nil {
		return err
	}
	people := &control.People{Store: s}
	for _, table := range demoTables() {
		path := filepath.Join(m.folder, table.family+".csv")
		if err := table.write(path); err != nil {
			return errors.Join(err, s.Close())
		}
		loaded, err := m.loadTable(ctx, people, table.family, path)
		if err != nil {
			return errors.Join(err, s.Close())
		}
		fmt.Fprintf(m.say, "%6d rows loaded into %s\n", loaded.Rows, table.family)
	}
	return s.Close()
}

func (m *demo) loadTable(ctx context.Context, people *control.People, name, path string) (control.Loaded, error) {
	file, err := os.Open(path)
	if err != nil {
		return control.Loaded{}, fmt.Errorf("load %s: %w", name, err)
	}
	defer file.Close()
	bar := newBar(m.err)
	defer bar.end()
	return people.Load(ctx, name, file, control.LoadOptions{Progress: bar.report})
}

// show asks one number, measures, and says what to try next.
func (m *demo) show(ctx context.Context) error {
	fmt.Fprintf(m.say, "\nAsterisk asks at http://%s, people at http://%s\n\n", m.at.Asterisk, m.at.People)
	if err := m.askOne(ctx); err != nil {
		return err
	}
	var all []bench.Result
	for _, plan := range m.plans() {
		fmt.Fprintf(m.say, "\nAsking %s, 1, 2 and 4 processes, %d requests each ...\n\n", plan.URL, plan.Requests)
		results, err := bench.Run(ctx, plan)
		if err != nil {
			return err
		}
		bench.Table(m.say, results)
		all = append(all, results...)
	}
	if m.json {
		if err := json.NewEncoder(m.out).Encode(all); err != nil {
			return fmt.Errorf("print the figures: %w", err)
		}
	}
	if err := m.judge(all); err != nil {
		return err
	}
	fmt.Fprint(m.say, m.next())
	return nil
}

// demoRequests is how many requests a client process sends.
const demoRequests = 5000

// plans are what is measured: the way of 2004 first.
func (m *demo) plans() []bench.Plan {
	executable, err := os.Executable()
	if err != nil {
		executable = os.Args[0]
	}
	base := bench.Plan{
		Numbers: filepath.Join(m.folder, "numbers.csv"), Processes: []int{1, 2, 4}, Requests: demoRequests,
		Executable: executable, Arguments: []string{"bench-client"}, Seed: uint64(m.now().UnixNano()),
	}
	soapNew, soapKept, curlKept := base, base, base
	soapNew.Door, soapNew.URL, soapNew.NewConnections = "soap", "http://"+m.at.Asterisk+"/soap", true
	soapKept.Door, soapKept.URL = "soap", soapNew.URL
	curlKept.Door, curlKept.URL = "curl", "http://"+m.at.Asterisk+"/rt/numbers"
	return []bench.Plan{soapNew, soapKept, curlKept}
}

// judge fails the demonstration when an answer was wrong.
func (m *demo) judge(all []bench.Result) error {
	worst, least := 0.0, 0.0
	for _, r := range all {
		if r.Errors > 0 {
			return fmt.Errorf("%d of %d answers were wrong or missing: %s", r.Errors, r.Requests, r.FirstError)
		}
		worst = max(worst, r.MaxMs)
		for _, first := range bench.First2004() {
			if first.Processes == r.Processes {
				if times := r.RequestsPerSecond / first.RequestsPerSecond; least == 0 || times < least {
					least = times
				}
			}
		}
	}
	fmt.Fprintf(m.say, "\nEvery answer was right; the worst took %.1f ms (2004 aimed at 100); at least %.0f times the rate of 2004.\n", worst, least)
	return nil
}
