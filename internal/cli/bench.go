package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"

	"github.com/spf13/cobra"

	"asterism/internal/bench"
	"asterism/internal/config"
)

// benchClient is the hidden command that bench starts as its client processes.
const benchClient = "bench-client"

// benchFlags are the flags of bench.
type benchFlags struct {
	plan    bench.Plan
	client  string
	asJSON  *bool
	configs *configured
}

func newBenchCmd(d deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench soap|curl",
		Short: "Measure how fast a server answers for the codecs of numbers",
		Args:  arguments(1, 1),
	}
	f := &benchFlags{configs: addConfig(cmd), asJSON: addJSON(cmd, "an array of rounds")}
	flags := cmd.Flags()
	flags.StringVar(&f.plan.URL, "url", "", "`URL` to ask; default: the Asterisk-facing address of the config with /soap or /rt/numbers")
	flags.StringVar(&f.client, "client", "go", "the client `program`: go, or gsoap, which is built first (soap only)")
	flags.StringVar(&f.plan.Numbers, "numbers", "", "CSV `FILE` number,codecs; default: numbers of the config's store")
	flags.IntSliceVar(&f.plan.Processes, "processes", []int{1, 2, 4}, "how many client processes ask at once, one round each")
	flags.IntVar(&f.plan.Requests, "requests", 5000, "requests of each client process in a round")
	flags.BoolVar(&f.plan.NewConnections, "new-connections", false, "a new TCP connection for each request")
	flags.Uint64Var(&f.plan.Seed, "seed", 1, "start of the random choice of numbers")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if f.plan.Door = args[0]; f.plan.Door != "soap" && f.plan.Door != "curl" {
			return &usageError{cmd: cmd, message: fmt.Sprintf("bench: no door %q", args[0]), hint: "doors are soap and curl"}
		}
		if f.client != "go" && f.client != "gsoap" {
			return &usageError{cmd: cmd, message: fmt.Sprintf("bench: no client %q", f.client), hint: "clients are go and gsoap"}
		}
		if f.client == "gsoap" && f.plan.Door != "soap" {
			return &usageError{cmd: cmd, message: fmt.Sprintf("bench: the client gsoap does not speak %s", f.plan.Door), hint: "asterism bench soap --client gsoap"}
		}
		return d.bench(cmd.Context(), f)
	}
	return cmd
}

func newBenchClientCmd(d deps) *cobra.Command {
	return &cobra.Command{
		Use:    benchClient,
		Short:  "Be one client process of bench",
		Hidden: true,
		// What its options are is between bench and its client processes.
		DisableFlagParsing: true,
		RunE:               func(_ *cobra.Command, options []string) error { return bench.Client(options, d.in, d.out) },
	}
}

// bench fills in what the plan leaves open, measures and prints.
func (d deps) bench(ctx context.Context, f *benchFlags) (err error) {
	if f.plan.URL == "" {
		cfg, err := f.configs.load()
		if err != nil {
			return err
		}
		f.plan.URL = benchURL(cfg, f.plan.Door)
	}
	if f.plan.Numbers == "" {
		path, err := numbersOfStore(ctx, f.configs)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.Remove(path)) }()
		f.plan.Numbers = path
	}
	if f.client == "gsoap" {
		return d.benchGSOAP(ctx, f)
	}
	f.plan.Executable, err = os.Executable()
	if err != nil {
		return fmt.Errorf("find this program, to start it as a client: %w", err)
	}
	f.plan.Arguments = []string{benchClient}
	return d.benchRounds(ctx, f)
}

func (d deps) benchRounds(ctx context.Context, f *benchFlags) error {
	results, err := bench.Run(ctx, f.plan)
	return errors.Join(err, d.printResults(results, *f.asJSON))
}

// benchGSOAP builds the client for the server that is asked, and measures with it.
func (d deps) benchGSOAP(ctx context.Context, f *benchFlags) (err error) {
	folder, err := os.MkdirTemp("", "asterism-gsoap-")
	if err != nil {
		return fmt.Errorf("make a temporary folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	f.plan.Executable, err = bench.BuildGSOAP(ctx, folder, f.plan.URL)
	if err != nil {
		return err
	}
	return d.benchRounds(ctx, f)
}

// printResults prints what was measured, also before an error.
func (d deps) printResults(results []bench.Result, asJSON bool) error {
	if asJSON {
		if results == nil {
			results = []bench.Result{}
		}
		if err := d.printJSON(results); err != nil {
			return err
		}
	} else if len(results) > 0 {
		bench.Table(d.out, results)
	}
	for _, r := range results {
		if r.Errors == r.Requests {
			return fmt.Errorf("bench: none of %d requests was answered right: %s", r.Requests, r.FirstError)
		}
	}
	return nil
}

// benchURL is where a node of the config answers on this machine.
func benchURL(cfg config.Config, door string) string {
	scheme, address := "http://", cfg.Asterisk.Listen
	if cfg.Asterisk.TLSCert != "" {
		scheme = "https://"
	}
	host, port, err := net.SplitHostPort(address)
	if ip := net.ParseIP(host); err == nil && (host == "" || ip != nil && ip.IsUnspecified()) {
		address = net.JoinHostPort("127.0.0.1", port)
	}
	if door == "soap" {
		return scheme + address + "/soap"
	}
	return scheme + address + "/rt/numbers"
}
