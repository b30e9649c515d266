package http1

// inbound is what has come of a connection's next request.
type inbound struct {
	head int // bytes of the request line and header fields; 0 while they are not whole
	need int // bytes of the whole request; 0 when it comes in chunks, or head is 0
	chunks
	told bool // 100 Continue was sent
}

// frame is where a whole request lies in what was received.
type frame struct {
	head, body int // ends
	taken      int // bytes that it took; more than body after chunks
}

// next looks for a whole request at the beginning of data and reads it into r. The
// frame is zero while it is not whole; kept is then how many bytes of data are
// still of use, since chunks are put together in place.
func (in *inbound) next(data []byte, r *Request, limits *Limits) (f frame, kept int, refusal *Refusal) {
	if in.need > len(data) {
		return f, len(data), nil
	}
	// The head is read again when the body came later: that is rare.
	head, refusal := r.parseHead(data, limits)
	switch {
	case head == 0 || refusal != nil:
		return f, len(data), refusal
	case r.length > limits.Body:
		return f, len(data), BodyTooLarge
	case r.length < 0:
		return in.nextChunked(data, head, r, limits)
	}
	if in.head, in.need = head, head+r.length; in.need > len(data) {
		return f, len(data), nil
	}
	f = frame{head: head, body: in.need, taken: in.need}
	r.Body = data[head:in.need]
	*in = inbound{}
	return f, len(data), nil
}

func (in *inbound) nextChunked(data []byte, head int, r *Request, limits *Limits) (f frame, kept int, refusal *Refusal) {
	if in.head == 0 {
		in.head, in.chunks = head, chunks{read: head, write: head}
	}
	whole, refusal := in.chunks.take(data, head+limits.Body, limits.Header)
	if refusal != nil {
		return f, len(data), refusal
	}
	if !whole {
		kept = in.write + copy(data[in.write:], data[in.read:])
		in.read = in.write
		return f, kept, nil
	}
	f = frame{head: head, body: in.write, taken: in.read}
	r.Body = data[head:in.write]
	*in = inbound{}
	return f, len(data), nil
}

// again reads a request whose frame is known from a copy of its bytes.
func (f frame) again(data []byte, r *Request, limits *Limits) {
	if _, refusal := r.parseHead(data, limits); refusal != nil {
		panic("http1: a request that was whole is not any more") // ours
	}
	r.Body = data[f.head:f.body]
}

// waits tells whether the client waits for leave to send the body.
func (in *inbound) waits(r *Request) bool {
	if in.head == 0 || in.told || !r.expects || r.minor == 0 {
		return false
	}
	in.told = true
	return true
}

// continueHead is that leave.
const continueHead = "HTTP/1.1 100 Continue\r\n\r\n"

// begun tells whether part of a request has come.
func begun(pending []byte) bool {
	for _, c := range pending {
		if c != '\r' && c != '\n' {
			return true
		}
	}
	return false
}

// pending is what has come of a connection and is not answered.
type pending struct {
	in    []byte
	large bool // holds a place for large requests
}

// keep keeps data; nothing, and no memory, when it is empty.
func (p *pending) keep(s *Server, data []byte) {
	if len(data) > 0 {
		p.in = append(p.in[:0], data...)
		return
	}
	if p.large {
		if kept := p.in[:0]; cap(kept) > s.Limits.Body {
			s.buffers.Put(&kept)
		}
		s.large.Add(-1)
	}
	*p = pending{}
}

// admit takes a place for a request that has become large; no: there is none.
func (p *pending) admit(s *Server) bool {
	if len(p.in) <= s.Limits.Large || p.large {
		return true
	}
	if p.large = s.takeLarge(); p.large {
		p.in = s.largeBuffer(p.in)
	}
	return p.large
}
