package cli

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"asterism/internal/control"
	"asterism/internal/failure"
)

// known is what lookup says of one number.
type known struct {
	Number string `json:"number"`
	Codecs string `json:"codecs"`
}

func newLookupCmd(d deps) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lookup NUMBER...",
		Short: "Show the codecs of a number, or of several",
		Args:  arguments(1, -1),
	}
	from := addConfig(cmd)
	tenant := cmd.Flags().String("tenant", "", "ask as tenant `T` does: its own numbers first, then the shared ones")
	asJSON := cmd.Flags().Bool("json", false, "print an array of objects {number, codecs}; codecs of an unknown number are empty")
	node := addServer(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		all, missing, err := lookups(cmd.Context(), from, node, *tenant, args)
		switch {
		case err != nil:
			return err
		case *asJSON:
			err = json.NewEncoder(d.out).Encode(all)
		case len(all) == 1 && missing == nil:
			_, err = fmt.Fprintln(d.out, all[0].Codecs)
		case len(all) > 1:
			for _, one := range all {
				fmt.Fprintln(d.out, one.Number, one.Codecs)
			}
		}
		if err == nil {
			err = missing
		}
		return err
	}
	return cmd
}

// lookups asks the store, or the node that --server names. missing is about the
// first number that is unknown.
func lookups(ctx context.Context, from *configured, node *remote, tenant string, numbers []string) (all []known, missing, err error) {
	each := func(ask func(number string) (string, error)) error {
		for _, number := range numbers {
			codecs, err := ask(number)
			switch {
			case failure.KindOf(err) == failure.Absent && missing == nil:
				missing = err
			case err != nil && failure.KindOf(err) != failure.Absent:
				return err
			}
			all = append(all, known{number, codecs})
		}
		return nil
	}
	if node.asked() {
		err = each(func(number string) (string, error) { return node.lookup(ctx, tenant, number) })
		return all, missing, err
	}
	err = from.people(ctx, func(p *control.People) error {
		return each(func(number string) (string, error) { return p.Lookup(ctx, tenant, number) })
	})
	return all, missing, err
}
