package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"asterism/test/lab"
)

// engine is how an Asterisk asks PostgreSQL.
type engine struct {
	name     string   // in extconfig.conf
	modules  []string // to load
	settings func(p *postgres) map[string]string
	// environment of Asterisk.
	environment func(p *postgres) []string
}

// postgres is a PostgreSQL server with Asterisk's own tables.
type postgres struct {
	engine
	sorcery string // "": without a cache
	port    int
	process *exec.Cmd
	log     *lab.Log
	began   int // bytes of the log when it was ready to serve
	folder  string
	files   map[string]string
}

// binaries is where Debian puts PostgreSQL's programs.
const binaries = "/usr/lib/postgresql/15/bin/"

// PostgreSQL refuses to run as root: this user comes with its package. When we are
// killed, it ends too.
var asPostgres = []string{"--reuid=postgres", "--regid=postgres", "--clear-groups", "--pdeathsig=INT"}

func (p *postgres) Prepare(s *scope, everything population) {
	p.start(s)
	// The columns are those of Asterisk's own schema, as a new store of Asterism has them.
	home := lab.NewHome(s)
	var sql strings.Builder
	for _, table := range append([]string{"numbers"}, lab.PJSIP...) {
		sql.WriteString(create(s, home, table))
	}
	sql.WriteString("CREATE INDEX ON ps_contacts (qualify_frequency, expiration_time);\n")
	rows := everything.phones.Rows()
	rows["numbers"] = everything.numberRows()
	for family, rows := range rows {
		insert(&sql, family, rows)
	}
	sql.WriteString("CREATE EXTENSION pg_stat_statements; ANALYZE;\n")
	p.sql(s, sql.String())
	p.files = map[string]string{"extconfig.conf": "[settings]\n", "sorcery.conf": sorcery(p.sorcery)}
	for _, family := range append([]string{"numbers"}, lab.PJSIP...) {
		p.files["extconfig.conf"] += fmt.Sprintf("%s => %s,asterisk,%s\n", family, p.engine.name, family)
	}
	maps.Copy(p.files, p.engine.settings(p))
}

// create is a table with the columns that the store of a home has.
func create(s *scope, home *lab.Home, table string) string {
	s.Helper()
	var columns []string
	for line := range strings.Lines(home.SQL(s, "SELECT '\"' || name || '\" ' || type FROM pragma_table_info('"+table+"');\n")) {
		columns = append(columns, strings.TrimSpace(line)) // SQLite has kept the types of Asterisk's schema
	}
	if len(columns) == 0 {
		s.Fatalf("the store has no table %s", table)
	}
	key := "id"
	if table == "numbers" {
		key = "number"
	}
	return fmt.Sprintf("CREATE TABLE %s (%s);\nCREATE UNIQUE INDEX ON %s (%s);\n", table, strings.Join(columns, ", "), table, key)
}

// insert copies rows, the first of which names the columns.
func insert(sql *strings.Builder, table string, rows [][]string) {
	fmt.Fprintf(sql, "COPY %s (%s) FROM stdin;\n", table, strings.Join(rows[0], ","))
	for _, row := range rows[1:] {
		sql.WriteString(strings.ReplaceAll(strings.Join(row, "\t")+"\n", "\t\n", "\t\\N\n"))
	}
	sql.WriteString("\\.\n")
}

// start makes a cluster and serves it. The locale is the one in which an index
// helps a LIKE, as contacts are asked for.
func (p *postgres) start(s *scope) {
	p.folder, p.port = s.TempDir(), lab.FreePort(s)
	data := filepath.Join(p.folder, "data")
	if err := os.Mkdir(data, 0o700); err != nil {
		s.Fatalf("%v", err)
	}
	for _, command := range []*exec.Cmd{
		exec.Command("chown", "-R", "postgres", p.folder),
		exec.Command("setpriv", append(asPostgres, binaries+"initdb", "-D", data, "-A", "trust", "-U", "asterisk", "-E", "UTF8", "--locale=C", "--no-sync")...),
	} {
		if out, err := command.CombinedOutput(); err != nil {
			s.Fatalf("%v: %v\n%s", command, err, out)
		}
	}
	p.process = exec.Command("setpriv", append(asPostgres, binaries+"postgres", "-D", data, "-k", p.folder, "-h", "127.0.0.1", "-p", strconv.Itoa(p.port),
		"-c", "shared_preload_libraries=pg_stat_statements", "-c", "max_connections=200")...)
	p.process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C is for us, who end it in order
	p.log = &lab.Log{}
	p.process.Stdout, p.process.Stderr = p.log, p.log
	if err := p.process.Start(); err != nil {
		s.Fatalf("%v", err)
	}
	s.Cleanup(func() {
		_ = p.process.Process.Signal(os.Interrupt) // fast shutdown
		_ = p.process.Wait()
	})
	lab.Eventually(s, time.Minute, "PostgreSQL answers", func() bool {
		return exec.Command(binaries+"pg_isready", "-h", "127.0.0.1", "-p", strconv.Itoa(p.port), "-U", "asterisk").Run() == nil
	})
	p.began = len(p.log.String())
	if out, err := p.psql("postgres", "CREATE DATABASE asterisk").CombinedOutput(); err != nil {
		s.Fatalf("create the database: %v\n%s\n%s", err, out, p.log)
	}
}

func (p *postgres) psql(database, sql string) *exec.Cmd {
	command := exec.Command(binaries+"psql", "-h", "127.0.0.1", "-p", strconv.Itoa(p.port), "-U", "asterisk", "-v", "ON_ERROR_STOP=1", "-qAt", "-f", "-", database)
	command.Stdin = strings.NewReader(sql)
	return command
}

func (p *postgres) sql(s *scope, sql string) string {
	s.Helper()
	out, err := p.psql("asterisk", sql).CombinedOutput()
	if err != nil {
		s.Fatalf("psql: %v\n%s", err, out)
	}
	return strings.TrimSpace(string(out))
}

func (p *postgres) Settings() lab.Settings {
	return lab.Settings{Files: p.files, Load: p.engine.modules, Environment: p.engine.environment(p)}
}

func (p *postgres) Engine() lab.Engine { return "" }

func (p *postgres) Lookup() string { return lookup }

// Requests is how many statements were run, but for this question itself.
func (p *postgres) Requests(s *scope) int {
	count, err := strconv.Atoi(p.sql(s, "SELECT coalesce(sum(calls), 0)::bigint FROM pg_stat_statements WHERE query NOT LIKE '%pg_stat_statements%'"))
	if err != nil {
		s.Fatalf("count the statements: %v", err)
	}
	return count
}

// CPU is that of the server and of its processes, one for each connection.
func (p *postgres) CPU(s *scope) time.Duration {
	return lab.CPU(s, p.process.Process.Pid) + lab.ChildrenCPU(s, p.process.Process.Pid)
}

// Complaints are those of its log since it serves.
func (p *postgres) Complaints(*scope) []string {
	var complaints []string
	for line := range strings.Lines(p.log.String()[p.began:]) {
		if strings.Contains(line, "WARNING: ") || strings.Contains(line, "ERROR: ") || strings.Contains(line, "FATAL: ") {
			complaints = append(complaints, strings.TrimSpace(line))
		}
	}
	return complaints
}
