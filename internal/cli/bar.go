package cli

import (
	"io"
	"os"

	"github.com/jedib0t/go-pretty/v6/progress"
)

// bar shows on a terminal how far a load is. It is for one goroutine.
type bar struct {
	report func(phase string, done, total int64) // nil when nobody looks
	end    func()
}

// newBar starts a bar; end must be called.
func newBar(w io.Writer) bar {
	if !terminal(w) {
		return bar{end: func() {}}
	}
	writer := progress.NewWriter()
	writer.SetOutputWriter(w)
	writer.SetAutoStop(false)
	writer.Style().Visibility.Value = false // bytes say little to a person
	rendered := make(chan struct{})
	go func() {
		defer close(rendered)
		writer.Render()
	}()
	trackers := make(map[string]*progress.Tracker)
	return bar{
		report: func(phase string, done, total int64) {
			tracker := trackers[phase]
			if tracker == nil {
				tracker = &progress.Tracker{Message: phase, Total: total, AutoStopDisabled: true}
				trackers[phase] = tracker
				writer.AppendTracker(tracker)
			}
			tracker.SetValue(done)
			if done >= total {
				tracker.MarkAsDone()
			}
		},
		end: func() {
			writer.Stop()
			<-rendered
		},
	}
}

// terminal tells whether a person reads what is written there.
func terminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	about, err := file.Stat()
	return err == nil && about.Mode()&os.ModeCharDevice != 0
}
