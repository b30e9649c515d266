package main

import (
	"context"
	"fmt"
	"time"

	"asterism/test/report"
)

// machine describes where the figures come from.
func (l *lab) machine(context.Context) (string, error) {
	machine, err := report.Machine()
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("`%s`, %s: %s. The load generator runs on the same cores. While the peers were measured, other processes took %s of the machine.\n",
		l.plan.command, time.Now().UTC().Format("2 January 2006"), machine, l.disturbance()), nil
}
