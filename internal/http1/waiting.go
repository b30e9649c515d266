package http1

// stay is one request while a goroutine answers it. It takes one of the places of
// Limits.Slow, or from the moment on that it waits for something, of Limits.Waiting.
type stay struct {
	server *Server
	waits  bool
}

// wait gives the place back for one among those who wait; false: there is none.
func (s *stay) wait() bool {
	if s.waits {
		return true
	}
	if s.server.waiting.Add(1) > int64(s.server.Limits.Waiting) {
		s.server.waiting.Add(-1)
		return false
	}
	s.waits = true
	s.server.slow.Add(-1)
	return true
}

// keeps is how much memory of the answer may be kept for others: those who wait hold
// theirs for long, and are many.
func (s *stay) keeps() int {
	if s.waits {
		return keptWaiting
	}
	return keptBuffer
}

const keptWaiting = 16 << 10

func (s *stay) leave() {
	if s.waits {
		s.server.waiting.Add(-1)
		return
	}
	s.server.slow.Add(-1)
}
