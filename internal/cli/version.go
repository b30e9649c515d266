package cli

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func newVersionCmd(d deps) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Show the version of this program",
		Args:  arguments(0, 0),
		RunE: func(*cobra.Command, []string) error {
			b := build()
			_, err := fmt.Fprintf(d.out, "asterism %s, revision %s, %s\n", b.version, b.revision, b.compiler)
			return err
		},
	}
}

// built is what a program knows of its own making.
type built struct{ version, revision, compiler string }

func build() built {
	b := built{version: "unknown", revision: "unknown"}
	about, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	b.compiler = about.GoVersion
	if about.Main.Version != "" {
		b.version = about.Main.Version
	}
	for _, setting := range about.Settings {
		switch setting.Key {
		case "vcs.revision":
			b.revision = setting.Value
		case "vcs.modified":
			if setting.Value == "true" {
				b.revision += " with changes"
			}
		}
	}
	return b
}
