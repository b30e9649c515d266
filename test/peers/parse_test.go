package main

import (
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestFiguresOfWrkAreRead(t *testing.T) {
	got, err := parseFigures("Running 8s test\nfigures 222947 8010000 412 3970 1 0 2 3 4\n")
	want := figures{
		Requests: 222947, Elapsed: 8010 * time.Millisecond, P50: 412 * time.Microsecond, P99: 3970 * time.Microsecond,
		Errors: 10, Kinds: " connect 1 write 2 timeout 3 status 4",
	}
	if err != nil || got != want {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	for _, output := range []string{"", "Running\n", "figures 1 2 3\n", "figures 0 8010000 0 0 0 0 0 0 0\n", "figures a 1 2 3 4 5 6 7 8\n"} {
		if f, err := parseFigures(output); err == nil {
			t.Errorf("%q gave %+v and no error", output, f)
		}
	}
}

func TestBenchmarksAreRead(t *testing.T) {
	got := parseBenchmarks(`goos: linux
pkg: asterism/internal/soap
BenchmarkDoorGetCodecs-2   	  10	  528.9 ns/op	     251 B/op	       1 allocs/op
BenchmarkFind/rows=20000,get-2	  10	  84 ns/op
PASS
pkg: asterism/internal/server
BenchmarkListing/clients=1-2 	 10	 5104803 ns/op	 14496 allocated_B/op	 2.827 first_ms	 14496 B/op	 120 allocs/op
`)
	want := []benchmark{
		{"soap", "DoorGetCodecs", "528.9", "251", "1"},
		{"soap", "Find/rows=20000,get", "84", "", ""},
		{"server", "Listing/clients=1", "5104803", "14496", "120"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestCodecsAreReadFromBothWires(t *testing.T) {
	f := func(got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	f(soapCodecs("<r><codec>opus</codec><codec>alaw</codec></r>"), "opus,alaw")
	f(soapCodecs("<ns1:r><ns1:codec>opus</ns1:codec></ns1:r>"), "opus")
	f(soapCodecs("<r></r>"), "")
	f(curlCodecs("number=1&codecs=opus%2Calaw"), "opus,alaw")
	f(curlCodecs("number=1"), "")
}

func TestOperationsThatNobodyCallsAreWritten(t *testing.T) {
	text := otherOperations(`
    SOAP_FMAC5 int SOAP_FMAC6 __ns1__GetCodecs(struct soap*, struct _ns1__GetCodecs *ns1__GetCodecs, struct _ns1__GetCodecsResponse *ns1__GetCodecsResponse);
    SOAP_FMAC5 int SOAP_FMAC6 __ns1__GetCodecs_(struct soap*, struct _ns1__GetCodecs *ns1__GetCodecs, struct _ns1__GetCodecsResponse *ns1__GetCodecsResponse);
`)
	if strings.Contains(text, "__ns1__GetCodecs(") || !strings.Contains(text, "int __ns1__GetCodecs_(struct soap *soap, struct _ns1__GetCodecs *question, struct _ns1__GetCodecsResponse *answer)") {
		t.Errorf("written was %s", text)
	}
}
