package main

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// scope is the lab.T of a program: what is started within it ends with it.
type scope struct {
	ctx    context.Context
	ends   []func()
	faults []error
}

// fatal is how Fatalf leaves a scope.
type fatal struct{ error }

// within runs something in a scope of its own and gives what went wrong.
func within(ctx context.Context, measure func(s *scope)) (err error) {
	s := &scope{ctx: ctx}
	defer func() {
		switch cause := recover().(type) {
		case nil:
		case fatal:
			s.faults = append(s.faults, cause.error)
		default:
			s.end()
			panic(cause)
		}
		s.end()
		err = errors.Join(s.faults...)
	}()
	measure(s)
	return nil
}

// end ends what was started, the last first.
func (s *scope) end() {
	for i := len(s.ends) - 1; i >= 0; i-- {
		end := s.ends[i]
		func() {
			defer func() {
				if cause, ok := recover().(fatal); ok {
					s.faults = append(s.faults, cause.error)
				}
			}()
			end()
		}()
	}
}

// inner runs something in a scope within this one; what went wrong there goes on here.
func (s *scope) inner(measure func(s *scope)) {
	if err := within(s.ctx, measure); err != nil {
		panic(fatal{err})
	}
}

// Helper, Context, Cleanup, Logf, Errorf, Fatalf, Skipf and TempDir make it a lab.T.
func (s *scope) Helper()                  {}
func (s *scope) Context() context.Context { return s.ctx }
func (s *scope) Cleanup(end func())       { s.ends = append(s.ends, end) }

func (s *scope) Logf(format string, values ...any) { fmt.Fprintf(os.Stderr, format+"\n", values...) }

func (s *scope) Errorf(format string, values ...any) {
	s.faults = append(s.faults, fmt.Errorf(format, values...))
}

func (s *scope) Fatalf(format string, values ...any) { panic(fatal{fmt.Errorf(format, values...)}) }

func (s *scope) Skipf(format string, values ...any) { s.Fatalf(format, values...) }

func (s *scope) TempDir() string {
	folder, err := os.MkdirTemp("", "asterism-drivers-")
	if err != nil {
		s.Fatalf("%v", err)
	}
	s.Cleanup(func() {
		if err := os.RemoveAll(folder); err != nil {
			s.Errorf("%v", err)
		}
	})
	return folder
}
