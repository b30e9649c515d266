package meter

import (
	"testing"
	"time"
)

func TestBucketsHoldWhatTheyCount(t *testing.T) {
	for d := time.Duration(0); d < 200*time.Second; d = d*11/10 + 137 {
		at := bucketOf(d)
		if d >= UpperBound(at) && at < buckets-1 || at > 0 && d < UpperBound(at-1) {
			t.Fatalf("%v is in bucket %d, from %v to %v", d, at, UpperBound(max(at-1, 0)), UpperBound(at))
		}
	}
}

func TestVectorIsBounded(t *testing.T) {
	v := NewVector("x", "", "a")
	for i := range MaxChildren + 100 {
		v.With(time.Duration(i).String()).Add(1)
	}
	if n := v.With("other").Value(); n != 100 {
		t.Errorf("%d under other, want 100", n)
	}
}

func TestOnce(t *testing.T) {
	var o Once
	if !o.First("a") || o.First("a") || !o.First("b") {
		t.Error("a name was first twice, or never")
	}
}
