package soap

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"asterism/internal/directory"
)

// What a Watch is given.
const (
	watchTime    = time.Second // after which it is answered, changed or not
	watchKeys    = 1000        // of a family; more are one change of all of it
	maxWatchBody = 16 << 10    // bytes: what waits is held for long, and is many
)

// errCrowded says that no more calls may wait; no client sees it.
var errCrowded = errors.New("too many wait")

// watch answers Watch: at once when the caller knows nothing that is of use, else as
// soon as something changed.
func (x *exchange) watch(ctx context.Context, dst []byte) ([]byte, error) {
	if len(x.call.Body) > maxWatchBody {
		return nil, clientFault(fmt.Sprintf("a Watch may have %d bytes", maxWatchBody))
	}
	places, err := x.watched()
	if err != nil {
		return nil, err
	}
	since, known, err := x.known()
	if err != nil {
		return nil, err
	}
	if !known || !x.view.Remembers(since, places) {
		return x.reset(dst, places), nil
	}
	if x.call.Wait != nil && !x.call.Wait() {
		return nil, errCrowded
	}
	x.view = x.door.Directory.Await(ctx, directory.Wait{Since: since, Places: places, Longest: watchTime, GaveUp: x.call.HungUp})
	if !x.view.Remembers(since, places) {
		return x.reset(dst, places), nil
	}
	dst = AppendReset(x.open(dst), false)
	for _, c := range x.view.Changes(since, places, watchKeys) {
		dst = AppendChange(dst, x.view.Tables()[c.Place].Family().Name, c.Key)
	}
	return dst, nil
}

// watched gives the places of the families that the call names; none: all.
func (x *exchange) watched() ([]int, error) {
	var places []int
	for _, name := range x.request.Families {
		place := x.view.Place(name)
		if place < 0 {
			return nil, clientFault(fmt.Sprintf("no family %q", name))
		}
		places = append(places, place)
	}
	return places, nil
}

// known gives the revision up to which the caller knows everything, if that was told
// by this instance.
func (x *exchange) known() (since uint64, known bool, err error) {
	r := &x.request
	if !r.Revision.Given {
		return 0, false, nil
	}
	since, err = strconv.ParseUint(string(trimBlanks(r.Revision.Value)), 10, 64)
	if err != nil {
		return 0, false, clientFault("the revision must be a whole number, but it is " + quoted(r.Revision.Value))
	}
	return since, r.Instance.Given && string(r.Instance.Value) == x.door.Directory.Instance(), nil
}

// reset tells the caller to forget everything, and what there is to be known.
func (x *exchange) reset(dst []byte, places []int) []byte {
	dst = AppendReset(x.open(dst), true)
	if len(places) == 0 {
		for place := range x.view.Tables() {
			places = append(places, place)
		}
	}
	told := make([]bool, len(x.view.Tables()))
	for _, place := range places {
		if told[place] {
			continue
		}
		told[place] = true
		table := x.view.Tables()[place]
		dst = AppendFamily(dst, Family{
			Name: table.Family().Name, Aliases: x.view.Aliases(place), Key: table.Family().Key, Listing: table.Policy(),
		})
	}
	return dst
}
