package bench

import (
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	asterismsoap "asterism/internal/soap"
)

// phoneBook is what the tests' server holds; the file of numbers holds the same.
func phoneBook() map[string]string {
	return map[string]string{
		"+14155550100": "ulaw,alaw",
		"+14155550101": "g722",
		"+14155550102": "opus,g722,alaw,ulaw",
		"&<100 200>":   "gsm",
	}
}

func writeNumbers(t testing.TB, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "numbers.csv")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func writePhoneBook(t testing.TB) string {
	t.Helper()
	lines := []string{"note,number,codecs"}
	book := phoneBook()
	for _, number := range slices.Sorted(maps.Keys(book)) {
		lines = append(lines, fmt.Sprintf(`a note,%s,"%s"`, number, book[number]))
	}
	return writeNumbers(t, lines...)
}

// directory is a real server that answers both doors.
type directory struct {
	*httptest.Server
	liesAbout string              // the number that gets a wrong answer
	before    func(*http.Request) // runs before each answer
	answers   atomic.Int64
	lies      atomic.Int64
	accepted  atomic.Int64
}

func newDirectory(t testing.TB, change func(*directory)) *directory {
	t.Helper()
	served := &directory{}
	if change != nil {
		change(served)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /soap", served.answerSOAP)
	mux.HandleFunc("POST /rt/numbers/single", served.answerCurl)
	mux.HandleFunc("GET /soap", func(w http.ResponseWriter, r *http.Request) {
		w.Write(asterismsoap.AppendWSDL(nil, "http://"+r.Host+"/soap"))
	})
	served.Server = httptest.NewUnstartedServer(mux)
	served.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			served.accepted.Add(1)
		}
	}
	served.Start()
	t.Cleanup(served.Close)
	return served
}

// url is what a plan for the door names.
func (d *directory) url(door string) string {
	return d.URL + map[string]string{"soap": "/soap", "curl": "/rt/numbers"}[door]
}

func (d *directory) address(t testing.TB) netip.AddrPort {
	t.Helper()
	address, err := netip.ParseAddrPort(d.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return address
}

func (d *directory) codecs(r *http.Request, number string) string {
	if d.before != nil {
		d.before(r)
	}
	d.answers.Add(1)
	if number == d.liesAbout {
		d.lies.Add(1)
		return "lpc10"
	}
	return phoneBook()[number]
}

func (d *directory) answerSOAP(w http.ResponseWriter, r *http.Request) {
	var envelope struct {
		Body struct {
			GetCodecs struct {
				Number string `xml:"number"`
			} `xml:"urn:asterism:v1 GetCodecs"`
		} `xml:"http://schemas.xmlsoap.org/soap/envelope/ Body"`
	}
	fine := r.Header.Get("SOAPAction") == `"urn:asterism:v1#GetCodecs"` &&
		r.Header.Get("Content-Type") == "text/xml; charset=utf-8"
	if err := xml.NewDecoder(r.Body).Decode(&envelope); err != nil || !fine {
		http.Error(w, "not what gSOAP sends", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/xml; charset=utf-8")
	io.WriteString(w, `<?xml version="1.0"?><S:Envelope xmlns:S="http://schemas.xmlsoap.org/soap/envelope/"><S:Body>`+
		`<a:GetCodecsResponse xmlns:a="urn:asterism:v1"><a:instance>x</a:instance><a:revision>1</a:revision>`)
	for codec := range strings.SplitSeq(d.codecs(r, envelope.Body.GetCodecs.Number), ",") {
		fmt.Fprintf(w, "<a:codec>%s</a:codec>", codec)
	}
	io.WriteString(w, "</a:GetCodecsResponse></S:Body></S:Envelope>")
}

func (d *directory) answerCurl(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	asked, found := strings.CutPrefix(string(body), "number=")
	number, err := url.PathUnescape(asked)
	fine := r.Header.Get("User-Agent") == "asterisk-libcurl-agent/1.0" && r.Header.Get("Accept") == "*/*" &&
		r.Header.Get("Content-Type") == "application/x-www-form-urlencoded"
	if err != nil || !found || !fine {
		http.Error(w, "not what Asterisk sends", http.StatusInternalServerError)
		return
	}
	io.WriteString(w, "number="+asked+"&codecs="+url.PathEscape(d.codecs(r, number)))
}
