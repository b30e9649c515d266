package bench

import (
	"context"
	"fmt"
)

// Run measures each entry of plan.Processes as a round of its own, one after
// the other. When a round cannot be measured it returns the results so far and
// the error. Requests that go wrong are no error but counted in their result.
func Run(ctx context.Context, plan Plan) ([]Result, error) {
	if err := plan.validate(); err != nil {
		return nil, err
	}
	speaks, err := newDoor(plan.Door)
	if err != nil {
		return nil, err
	}
	aim, err := newTarget(ctx, plan.URL, speaks.suffix())
	if err != nil {
		return nil, err
	}
	rows, err := countNumbers(plan.Numbers)
	if err != nil {
		return nil, err
	}
	work := job{
		Door:           plan.Door,
		Address:        aim.address,
		Host:           aim.host,
		Path:           aim.path,
		Numbers:        plan.Numbers,
		Rows:           rows,
		Requests:       plan.Requests,
		NewConnections: plan.NewConnections,
		Deadline:       requestDeadline,
		Seed:           plan.Seed,
	}
	var results []Result
	for _, count := range plan.Processes {
		measured, err := runRound(ctx, plan, work, count)
		if err != nil {
			return results, fmt.Errorf("round with %d client processes: %w", count, err)
		}
		results = append(results, measured.result(plan))
	}
	return results, nil
}
