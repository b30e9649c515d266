package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"asterism/internal/failure"
	"asterism/internal/kit"
)

func newKitCmd(d deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "kit --asterisk 16|22 --engine curl|native --out DIR",
		Short: "Write Asterisk configuration files that ask Asterism",
		Long: "Write a commented set of Asterisk configuration files that ask Asterism: extconfig.conf, sorcery.conf,\n" +
			"pjsip.conf, extensions.conf, asterisk.conf, and res_curl.conf or asterism.conf, with notes on what to reload.\n" +
			"The engine curl is what stock Asterisk has; native is the module in this program's folder asterisk/.",
		Args: arguments(0, 0),
	}
	var order kit.Order
	host, _ := os.Hostname() // without one --systemname must be given, and the kit says so
	flags := cmd.Flags()
	flags.IntVar(&order.Version, "asterisk", 0, "write for Asterisk `VERSION`: 16 or 22")
	flags.StringVar(&order.Engine, "engine", kit.Curl, "ask through `ENGINE`: curl, or native")
	flags.StringArrayVar(&order.URLs, "url", []string{"http://127.0.0.1:8640"}, "ask Asterism at `URL`; for native several times, the preferred server first")
	flags.StringVar(&order.SystemName, "systemname", host, "call this Asterisk `NAME`; another one on each node")
	flags.StringVar(&order.SIP, "sip", "0.0.0.0:5060", "listen for SIP at `ADDRESS:PORT`")
	out := flags.String("out", "", "write into `DIR`")
	force := flags.Bool("force", false, "overwrite files that are there")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		for i, at := range order.URLs {
			order.URLs[i] = strings.TrimSuffix(at, "/")
		}
		files, err := kit.Files(order)
		if failure.KindOf(err) == failure.Invalid {
			return d.badOrder(cmd, err)
		}
		if err != nil {
			return err
		}
		if *out == "" {
			return &usageError{cmd: cmd, message: "kit: no folder to write into", hint: "--out DIR"}
		}
		if !*force {
			if err := refuseExisting(*out, files); err != nil {
				return err
			}
		}
		if err := kit.Write(*out, files); err != nil {
			return err
		}
		return d.showKit(*out, files)
	}
	return cmd
}

// badOrder tells all that is wrong with what was asked for.
func (d deps) badOrder(cmd *cobra.Command, err error) error {
	faults := split(err)
	for _, fault := range faults[:len(faults)-1] {
		message, hint := explain(fault)
		d.complain("kit: "+message, hint)
	}
	message, hint := explain(faults[len(faults)-1])
	return &usageError{cmd: cmd, message: "kit: " + message, hint: hint}
}

func refuseExisting(folder string, files []kit.File) error {
	existing, err := kit.Existing(folder, files)
	if err != nil || len(existing) == 0 {
		return err
	}
	return &failure.Error{
		Kind: failure.Refused, Field: "out", Message: fmt.Sprintf("%s has %s already; nothing is written", folder, strings.Join(existing, ", ")),
		Hint: "another folder with --out, or --force to overwrite them",
	}
}

// showKit says what was written and what to do with it.
func (d deps) showKit(folder string, files []kit.File) error {
	for _, f := range files {
		if f.Name == kit.Notes {
			_, err := fmt.Fprintf(d.out, "written to %s\n\n%s", filepath.Clean(folder), f.Text)
			return err
		}
	}
	return nil
}
