package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

// newRootCmd makes the command that has all others.
func newRootCmd(d deps) *cobra.Command {
	root := &cobra.Command{
		Use:                        "asterism COMMAND",
		Short:                      "Answers the questions of Asterisk clusters from memory",
		Args:                       cobra.ArbitraryArgs,
		RunE:                       noCommand,
		FParseErrWhitelist:         cobra.FParseErrWhitelist{UnknownFlags: true}, // the command is the mistake to tell of
		SilenceErrors:              true,
		SilenceUsage:               true,
		DisableFlagsInUseLine:      true,
		SuggestionsMinimumDistance: 2,
	}
	root.SetIn(d.in)
	root.SetOut(d.out)
	root.SetErr(d.err)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return &usageError{cmd: cmd, message: err.Error()} })
	root.AddCommand(
		newInitCmd(d), newServeCmd(d), newStatusCmd(d), newReloadCmd(d), newTraceCmd(d),
		newGetCmd(d), newSetCmd(d), newListCmd(d), newDeleteCmd(d), newLoadCmd(d), newLookupCmd(d),
		newCheckCmd(d), newBenchCmd(d), newBenchClientCmd(d), newDemoCmd(d), newKitCmd(d), newDoctorCmd(d), newVersionCmd(d),
	)
	return root
}

// noCommand is what runs when the first argument is no command.
func noCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return &usageError{cmd: cmd, message: "no command given", hint: "asterism help lists them"}
	}
	mistake := &usageError{cmd: cmd, message: fmt.Sprintf("no command %q", args[0]), hint: "asterism help lists them"}
	if meant := cmd.SuggestionsFor(args[0]); len(meant) > 0 {
		mistake.hint = "did you mean " + meant[0] + "?"
	}
	return mistake
}

// arguments checks how many arguments a command has; most < 0: no limit.
func arguments(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return &usageError{cmd: cmd, message: fmt.Sprintf("%s: %d arguments where it takes at least %d", cmd.Name(), len(args), least)}
		case most >= 0 && len(args) > most:
			return &usageError{cmd: cmd, message: fmt.Sprintf("%s: %d arguments where it takes at most %d", cmd.Name(), len(args), most)}
		}
		return nil
	}
}
