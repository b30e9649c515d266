package bench

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// patience is how many requests in a row may run into their deadline. After
// that the server is taken for gone and the rest counts as errors unasked;
// otherwise 5,000 requests to a dead address would take half a day.
const patience = 3

// loop is the closed loop of one client process.
type loop struct {
	door       door
	connection *connection
	deadline   time.Duration
	draw       draw
	head       string
	latencies  *hdrhistogram.Histogram
	errors     int
	firstError string

	// Room that every request reuses.
	body, request, codecs []byte
}

func (l *loop) run() {
	defer l.connection.close()
	timeouts := 0
	for done, at := range l.draw.order {
		err := l.ask(&l.draw.questions[at])
		if err == nil {
			timeouts = 0
			continue
		}
		l.fail(err)
		if !isTimeout(err) {
			timeouts = 0
			continue
		}
		if timeouts++; timeouts == patience {
			l.errors += len(l.draw.order) - done - 1
			return
		}
	}
}

// ask sends one question. Only the exchange is timed: preparing, closing and
// checking are this side's work.
func (l *loop) ask(asked *question) error {
	l.prepare(asked.number)
	begun := time.Now()
	answer, err := l.connection.exchange(l.request, begun.Add(l.deadline))
	elapsed := time.Since(begun)
	if err != nil {
		return fmt.Errorf("number %s: %w", asked.number, err)
	}
	l.connection.release(answer)
	if err := l.check(asked, answer); err != nil {
		return err
	}
	recordLatency(l.latencies, elapsed)
	return nil
}

func (l *loop) prepare(number string) {
	l.body = l.door.appendBody(l.body[:0], number)
	l.request = append(l.request[:0], l.head...)
	l.request = strconv.AppendInt(l.request, int64(len(l.body)), 10)
	l.request = append(l.request, "\r\n\r\n"...)
	l.request = append(l.request, l.body...)
}

func (l *loop) check(asked *question, answer response) error {
	if answer.status != http.StatusOK {
		return fmt.Errorf("number %s: status %d instead of 200: %q; is the URL right?", asked.number, answer.status, excerpt(answer.body))
	}
	if l.draw.checked {
		l.codecs = l.door.appendCodecs(l.codecs[:0], answer.body)
		if string(l.codecs) != asked.codecs {
			return fmt.Errorf("number %s: expected codecs %q, came %q in %q; does the server hold the same numbers?",
				asked.number, asked.codecs, excerpt(l.codecs), excerpt(answer.body))
		}
	}
	if len(answer.body) == 0 {
		return fmt.Errorf("number %s: the answer is empty; does the server hold this number?", asked.number)
	}
	return nil
}

func (l *loop) fail(err error) {
	l.errors++
	if l.firstError == "" {
		l.firstError = err.Error()
	}
}

func isTimeout(err error) bool {
	var network net.Error
	return errors.As(err, &network) && network.Timeout()
}
