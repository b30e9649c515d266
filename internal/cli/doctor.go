package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"asterism/internal/asteriskconf"
	"asterism/internal/doctor"
)

func newDoctorCmd(d deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "doctor --asterisk DIR",
		Short: "Find what is wrong with an Asterisk configuration folder",
		Long: "Find what in an Asterisk configuration folder keeps realtime from working, or makes it work badly, with what mends it.\n" +
			"Reads the files alone: asks neither Asterisk nor Asterism, runs nothing. Exit code 1 when there are findings.",
		Args: arguments(0, 0),
	}
	name := cmd.Flags().String("asterisk", "", "look at the folder `DIR`, such as /etc/asterisk")
	release := cmd.Flags().String("release", "", "it is Asterisk `VERSION`, such as 22.6: some faults are those of older ones")
	asJSON := addJSON(cmd, "an array of {check, file, line, problem, remedy}; line 0 is the file as a whole")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *name == "" {
			return &usageError{cmd: cmd, message: "doctor: no folder to look at", hint: "--asterisk /etc/asterisk; for the rows themselves: asterism check"}
		}
		of, err := doctor.ParseRelease(*release)
		if err != nil {
			message, hint := explain(err)
			return &usageError{cmd: cmd, message: "doctor: " + message, hint: hint}
		}
		folder, err := asteriskconf.Open(*name)
		if err != nil {
			return err
		}
		findings, err := doctor.Examine(folder, of)
		if err != nil {
			return err
		}
		if *asJSON {
			err = d.printJSON(findings)
		} else {
			err = d.printFindings(findings)
		}
		if err == nil && len(findings) > 0 {
			err = errSaid
		}
		return err
	}
	return cmd
}

func (d deps) printFindings(findings []doctor.Finding) error {
	if len(findings) == 0 {
		_, err := fmt.Fprintln(d.out, "ok")
		return err
	}
	for _, f := range findings {
		at := f.File
		if f.Line > 0 {
			at = asteriskconf.Position{File: f.File, Line: f.Line}.String()
		}
		if _, err := fmt.Fprintf(d.out, "%s: %s [%s]\n    remedy: %s\n", at, f.Problem, f.Check, f.Remedy); err != nil {
			return err
		}
	}
	return nil
}
