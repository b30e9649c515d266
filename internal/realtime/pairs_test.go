package realtime

import (
	"testing"

	"asterism/internal/directory"
)

func TestOperatorOfAName(t *testing.T) {
	f := func(name, column string, op directory.Op, ok bool) {
		t.Helper()
		gotColumn, gotOp, gotOK := operator([]byte(name))
		if gotOK != ok || ok && (string(gotColumn) != column || gotOp != op) {
			t.Errorf("%q is %q %v %v, want %q %v %v", name, gotColumn, gotOp, gotOK, column, op, ok)
		}
	}
	f("id", "id", directory.Equal, true)
	f("id ", "id", directory.Equal, true)
	f("id =", "id", directory.Equal, true)
	f("id=", "id", directory.Equal, true)
	f("id LIKE", "id", directory.Like, true)
	f("id  like ", "id", directory.Like, true)
	f("id NOT LIKE", "id", directory.NotLike, true)
	f("id not  like", "id", directory.NotLike, true)
	f("mailboxes !=", "mailboxes", directory.NotEqual, true)
	f("mailboxes <>", "mailboxes", directory.NotEqual, true)
	f("expiration_time <=", "expiration_time", directory.LessEqual, true)
	f("startTime<= ", "startTime", directory.LessEqual, true)
	f("endtime >= ", "endtime", directory.GreaterEqual, true)
	f("penalty<", "penalty", directory.Less, true)
	f("penalty >", "penalty", directory.Greater, true)
	f("@exten LIKE", "@exten", directory.Like, true)
	f("idLIKE", "idLIKE", directory.Equal, true)
	f("id RLIKE", "", 0, false)
	f("id LIKE x", "", 0, false)
	f("id ==", "", 0, false)
	f("id =>", "", 0, false)
	f("id NOT", "", 0, false)
	f("id REGEXP", "", 0, false)
}
