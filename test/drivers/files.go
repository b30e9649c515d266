package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"asterism/test/lab"
)

// files is pjsip.conf, and the numbers in Asterisk's own database, AstDB.
type files struct {
	sip  int
	text map[string]string
}

func (f *files) Prepare(s *scope, p population) {
	f.sip = lab.FreePort(s)
	f.text = map[string]string{"pjsip.conf": lab.Transport(f.sip) + p.phones.File(), "../lib/astdb.sqlite3": astDB(s, p)}
}

// astDB is the file of an AstDB that holds the numbers.
func astDB(s *scope, p population) string {
	path := filepath.Join(s.TempDir(), "astdb.sqlite3")
	var sql strings.Builder
	sql.WriteString("CREATE TABLE astdb (key VARCHAR(256), value VARCHAR(256), PRIMARY KEY (key));\nBEGIN;\n")
	for i := range p.numbers {
		fmt.Fprintf(&sql, "INSERT INTO astdb VALUES ('/codecs/%s', 'ulaw');\n", p.number(i))
	}
	sql.WriteString("COMMIT;\n")
	command := exec.Command("sqlite3", path)
	command.Stdin = strings.NewReader(sql.String())
	if out, err := command.CombinedOutput(); err != nil {
		s.Fatalf("sqlite3: %v\n%s", err, out)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		s.Fatalf("%v", err)
	}
	return string(text)
}

func (f *files) Settings() lab.Settings     { return lab.Settings{SIP: f.sip, Files: f.text} }
func (f *files) Engine() lab.Engine         { return "" }
func (f *files) Lookup() string             { return "${DB(codecs/${EXTEN})}" }
func (f *files) Requests(*scope) int        { return 0 }
func (f *files) CPU(*scope) time.Duration   { return 0 }
func (f *files) Complaints(*scope) []string { return nil }
