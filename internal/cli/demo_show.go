package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

// demoSize is how many numbers and phones the demonstration has.
const demoSize = 20000

// demoTable is one family's rows, made up.
type demoTable struct {
	family string
	header string
	row    func(i int) string
}

// demoTables are the numbers, and phones with what a phone needs.
func demoTables() []demoTable {
	codecs := []string{"ulaw", `"alaw,g722"`, `"opus,g722,alaw"`, `"g729,ulaw"`, `"g722,ulaw,alaw"`}
	return []demoTable{
		{"numbers", "number,codecs", func(i int) string { return fmt.Sprintf("%d,%s", 4930000000+i, codecs[i%len(codecs)]) }},
		{"ps_endpoints", "id,transport,aors,auth,context,disallow,allow", func(i int) string {
			return fmt.Sprintf("%d,transport-udp,%[1]d,%[1]d,from-internal,all,%s", 100000+i, codecs[i%len(codecs)])
		}},
		{"ps_auths", "id,auth_type,username,password", func(i int) string {
			return fmt.Sprintf("%d,userpass,%[1]d,demo-%[1]d", 100000+i)
		}},
		{"ps_aors", "id,max_contacts,qualify_frequency", func(i int) string { return fmt.Sprintf("%d,2,60", 100000+i) }},
	}
}

// write writes the rows to a CSV file.
func (t demoTable) write(path string) (err error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("write the demonstration's %s: %w", t.family, err)
	}
	defer file.Close()
	out := bufio.NewWriter(file)
	fmt.Fprintln(out, t.header)
	for i := range demoSize {
		fmt.Fprintln(out, t.row(i))
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write the demonstration's %s: %w", t.family, err)
	}
	return nil
}

// askOne asks one number in each way and prints question and answer.
func (m *demo) askOne(ctx context.Context) error {
	const number = "4930000012"
	envelope := `<Envelope xmlns="http://schemas.xmlsoap.org/soap/envelope/"><Body><GetCodecs xmlns="urn:asterism:v1"><number>` +
		number + `</number></GetCodecs></Body></Envelope>`
	questions := []struct{ method, path, kind, body string }{
		{http.MethodPost, "/rt/numbers/single", "application/x-www-form-urlencoded", "number=" + number},
		{http.MethodGet, "/lookup?number=" + number, "", ""},
		{http.MethodPost, "/soap", "text/xml; charset=utf-8", envelope},
	}
	for _, q := range questions {
		request, err := http.NewRequestWithContext(ctx, q.method, "http://"+m.at.Asterisk+q.path, strings.NewReader(q.body))
		if err != nil {
			return fmt.Errorf("ask the demonstration's number: %w", err)
		}
		if q.kind != "" {
			request.Header.Set("Content-Type", q.kind)
		}
		answer, err := fetch(request)
		if err != nil {
			return fmt.Errorf("ask the demonstration's number: %w", err)
		}
		fmt.Fprintf(m.say, "> %s %s\n", q.method, q.path)
		if q.body != "" {
			fmt.Fprintf(m.say, "> %s\n", q.body)
		}
		fmt.Fprintf(m.say, "< %s\n\n", answer)
	}
	return nil
}

func fetch(request *http.Request) (string, error) {
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return "", err
	}
	if response.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s: %s", response.Status, text)
	}
	return string(text), nil
}

// next says what to try.
func (m *demo) next() string {
	database := strings.TrimPrefix(m.config.Store.URL, "sqlite:")
	return fmt.Sprintf(`
Try next, while it serves:
  curl 'http://%[1]s/lookup?number=4930000012'
  sqlite3 %[2]s "UPDATE numbers SET codecs = 'opus' WHERE number = '4930000012'"
  curl 'http://%[1]s/lookup?number=4930000012'
  curl 'http://%[1]s/soap?wsdl'
  curl 'http://%[3]s/metrics'
  extconfig.conf:  ps_endpoints => curl,http://%[1]s/rt/ps_endpoints

`, m.at.Asterisk, database, m.at.People)
}
