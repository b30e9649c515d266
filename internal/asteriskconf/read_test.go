package asteriskconf

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// tree makes a folder /etc/asterisk of files; a name with a first slash lies
// elsewhere.
func tree(files map[string]string) *Folder {
	root := fstest.MapFS{}
	for name, text := range files {
		if !strings.HasPrefix(name, "/") {
			name = "/etc/asterisk/" + name
		}
		root[name[1:]] = &fstest.MapFile{Data: []byte(text)}
	}
	return in(root, "/etc/asterisk")
}

// said writes sections and notes as text, one line each.
func said(f *File) string {
	var out strings.Builder
	for _, s := range f.Sections {
		mark := ""
		if s.Template {
			mark = "(!)"
		}
		fmt.Fprintf(&out, "%s [%s]%s\n", s.Position, s.Name, mark)
		for _, v := range s.Variables {
			fmt.Fprintf(&out, "%s %s=%s\n", v.Position, v.Name, v.Value)
		}
	}
	for _, note := range f.Notes {
		fmt.Fprintf(&out, "%s %s: %s\n", note.Position, []string{"remark", "warning", "error"}[note.Level], note.Text)
	}
	return out.String()
}

// expect reads main.conf of the files.
func expect(t *testing.T, want string, files map[string]string) {
	t.Helper()
	file, err := tree(files).Read("main.conf")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.TrimLeft(want, "\n"), said(file)); diff != "" {
		t.Error(diff)
	}
}

const phone = `[base](!)                 ; template
type=endpoint
disallow=all
allow=ulaw
set_var=A=1
[nat](!)
direct_media=no
allow=alaw                ; appended, not replaced
[6001](base,nat)
allow=g722
callerid="Ann \; Lee" <6001>
mailboxes=6001@def
mailboxes+=ault
;-- a block
[9999]
type=endpoint
--;
[6001](+type=endpoint)
context=from-internal
[6001]
type=auth
auth_type=userpass
password=pa\;ss
[6001]
type=aor
max_contacts=2
#tryinclude "missing.d/*.conf"
#exec /bin/echo x
`

func TestOneNameIsThreeObjects(t *testing.T) {
	for _, text := range []string{phone, "\xef\xbb\xbf" + strings.ReplaceAll(phone, "\n", "\r\n")} {
		file, err := tree(map[string]string{"pjsip.conf": text}).Read("pjsip.conf")
		if err != nil || file.Refused() {
			t.Fatal(err, file.Notes)
		}
		objects := file.Named("6001")
		if len(objects) != 3 || len(file.Named("9999")) != 0 || len(file.Named("base")) != 0 {
			t.Fatal(said(file))
		}
		f := func(object int, name string, want ...string) {
			t.Helper()
			if diff := cmp.Diff(want, objects[object].Values(name)); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
		f(0, "type", "endpoint")
		f(0, "disallow", "all")
		f(0, "allow", "ulaw", "alaw", "g722")
		f(0, "set_var", "A=1")
		f(0, "direct_media", "no")
		f(0, "context", "from-internal")
		f(0, "callerid", `"Ann ; Lee" <6001>`)
		f(0, "mailboxes", "6001@default")
		f(1, "type", "auth")
		f(1, "password", "pa;ss")
		f(2, "type", "aor")
		f(2, "max_contacts", "2")
		var notes []string
		for _, note := range file.Notes {
			if note.Line > 1 {
				notes = append(notes, note.String()+" "+note.Text)
			}
		}
		want := []string{
			"pjsip.conf:27 no file fits missing.d/*.conf",
			"pjsip.conf:28 #exec /bin/echo x is not run: what it would print is missing here",
		}
		if diff := cmp.Diff(want, notes); diff != "" {
			t.Error(diff)
		}
	}
}

func TestExecIsNeverRun(t *testing.T) {
	folder := t.TempDir()
	trace := filepath.Join(folder, "trace")
	text := "[general]\n#exec touch " + trace + "\n#exec \"touch " + trace + "\"\n"
	if err := os.WriteFile(filepath.Join(folder, "main.conf"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	opened, err := Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	file, err := opened.Read("main.conf")
	if err != nil || len(file.Notes) != 2 {
		t.Fatal(err, said(file))
	}
	if _, err := os.Stat(trace); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it ran: %v", err)
	}
}

func TestLinesAreReadAsAsteriskReadsThem(t *testing.T) {
	f := func(text, want string) {
		t.Helper()
		expect(t, want, map[string]string{"main.conf": text})
	}
	f("[a]\nx=1\n y => 2 \nz= a=b \nempty=\n", "main.conf:1 [a]\nmain.conf:2 x=1\nmain.conf:3 y=2\nmain.conf:4 z=a=b\nmain.conf:5 empty=\n")
	f("[a]\nx=1;c\ny=2\\;3;c\n;z=4\n;---- x\nv=5", "main.conf:1 [a]\nmain.conf:2 x=1\nmain.conf:3 y=2;3\nmain.conf:6 v=5\n")
	f("[a]\nx=1;-- c --;2\n;-- ;-- x\n--; \\;\ny=2\n--;z=3\n", "main.conf:1 [a]\nmain.conf:2 x=12\nmain.conf:6 z=3\n")
	f("[a]\n;-- x\ny=2\n", "main.conf:1 [a]\nmain.conf:2 warning: the comment that begins here with ;-- has no end --;\n")
	f("[a]\nx=1 --; y\n", "main.conf:1 [a]\nmain.conf:2 x=1 --\nmain.conf:2 warning: "+noOpener+"\n")
	f("[a]\nx=1\nx=2\nx+=3\nx += 4\nn+=5\n", "main.conf:1 [a]\nmain.conf:2 x=1\nmain.conf:3 x=23 4\nmain.conf:6 n=5\n")
	f("[a]\n\\[x]=1\n\\=y=2\n\\\n", "main.conf:1 [a]\nmain.conf:2 [x]=1\nmain.conf:3 =y=2\nmain.conf:4 error: nothing after the first \\\n")
	f("[a]\nnothing\n=1\n#if x\n#include\n", "main.conf:1 [a]\nmain.conf:2 warning: no = in this line\nmain.conf:3 warning: no name before the =\n"+
		"main.conf:4 warning: no directive #if; there are #include, #tryinclude and #exec\nmain.conf:5 warning: #include names nothing\n")
	f("x=1\n[a\n[b](c\n[d]x\n", "main.conf:4 [d]\nmain.conf:1 error: a line before the first [section]\nmain.conf:2 error: no ] after [a\nmain.conf:3 error: no ) after [b](\n")
	f("[a]\nx=1\x002\n", "main.conf:1 [a]\nmain.conf:2 x=1\n")
}

func TestSectionsInherit(t *testing.T) {
	f := func(text, want string) {
		t.Helper()
		expect(t, want, map[string]string{"main.conf": text})
	}
	f("[a]\nx=1\n[b](a)\ny=2\n", "main.conf:1 [a]\nmain.conf:2 x=1\nmain.conf:3 [b]\nmain.conf:2 x=1\nmain.conf:4 y=2\n")
	f("[a]\nx=1\n[b]()\n", "main.conf:1 [a]\nmain.conf:2 x=1\nmain.conf:3 [b]\nmain.conf:2 x=1\n")
	f("[a]\nx=1\n[a]\nx=2\n[A](+)\ny=3\n", "main.conf:1 [a]\nmain.conf:2 x=1\nmain.conf:6 y=3\nmain.conf:3 [a]\nmain.conf:4 x=2\n")
	f("[a]\nx=one\n[a]\nx=two\nz=3\n[a](+x=^t & z=3)\ny=3\n", "main.conf:1 [a]\nmain.conf:2 x=one\nmain.conf:3 [a]\nmain.conf:4 x=two\nmain.conf:5 z=3\nmain.conf:7 y=3\n")
	f("[t](!)\nx=1\n[t](+)\n", "main.conf:1 [t](!)\nmain.conf:2 x=1\nmain.conf:3 error: [t](+): no such section above it\n")
	f("[t](!)\nx=1\n[t](+TEMPLATES=restrict)\ny=2\n", "main.conf:1 [t](!)\nmain.conf:2 x=1\nmain.conf:4 y=2\n")
	f("[t](!)\nx=1\n[b]\n[b](+,t)\n", "main.conf:1 [t](!)\nmain.conf:2 x=1\nmain.conf:3 [b]\nmain.conf:2 x=1\n")
	f("[a]\nx=1\n[b](c)\ny=2\n", "main.conf:1 [a]\nmain.conf:2 x=1\nmain.conf:3 [b]\nmain.conf:4 y=2\nmain.conf:3 error: [b](c): no section c above it\n")
	f("[a]\nx=1\n[a](+x)\n[a](+x=[)\n", "main.conf:1 [a]\nmain.conf:2 x=1\n"+
		"main.conf:3 warning: \"x\" is not NAME=PATTERN\nmain.conf:3 error: [a](+x): no such section above it\n"+
		"main.conf:4 warning: \"[\": not a regular expression\nmain.conf:4 error: [a](+x=[): no such section above it\n")
}

func TestFilesIncludeFiles(t *testing.T) {
	expect(t, `
main.conf:1 [a]
sub/b.conf:1 x=1
main.conf:5 y=2
sub/b.conf:2 [b]
/opt/c.conf:1 z=3
sub/b.conf:4 after=c
main.conf:7 [d]
d/1.conf:1 n=1
d/2.conf:1 n=2
main.conf:3 remark: none.conf is not there
`, map[string]string{
		"main.conf":   "[a]\n#include sub/b.conf\n#tryinclude none.conf\n\ny=2\n\n[d]\n#include \"d/*.conf\"\n",
		"sub/b.conf":  "x=1\n[b]\n#include </opt/c.conf>\nafter=c\n",
		"/opt/c.conf": "z=3\n",
		"d/1.conf":    "n=1\n", "d/2.conf": "n=2\n", "d/.3.conf": "n=3\n", "d/4.txt": "n=4\n",
	})
	expect(t, "main.conf:1 remark: none.conf is not there\nmain.conf:1 error: #include none.conf: no such file\nmain.conf:2 error: d: not a regular file\n"+
		"main.conf:3 warning: {a,b}.conf: braces in the name of an include are not followed\nmain.conf:4 error: [.conf: not a pattern for names of files\n",
		map[string]string{"main.conf": "#include none.conf\n#include d\n#include {a,b}.conf\n#tryinclude [.conf\n", "d/x": ""})
	expect(t, "main.conf:1 error: files include each other more than 10 deep\n", map[string]string{"main.conf": "#include main.conf\n"})
}

func TestIncludesEnd(t *testing.T) {
	folder := tree(map[string]string{"main.conf": strings.Repeat("#include *.conf\n", 50)})
	folder.limits.files = 500
	file, err := folder.Read("main.conf")
	if err != nil || !file.Refused() {
		t.Fatal(err)
	}
	bounded := false
	for _, note := range file.Notes {
		bounded = bounded || strings.HasSuffix(note.Text, errTooMany.Error())
	}
	if !bounded {
		t.Errorf("%d notes, none of them about the limit", len(file.Notes))
	}
}

func TestInheritanceEnds(t *testing.T) {
	var text strings.Builder
	text.WriteString("[s0]\nx=1\nx=2\n")
	for i := range 40 {
		fmt.Fprintf(&text, "[s%d](s%d,s%d)\n", i+1, i, i)
	}
	folder := tree(map[string]string{"main.conf": text.String()})
	folder.limits.inherited = 1000
	file, err := folder.Read("main.conf")
	if err != nil || !file.Refused() || !strings.Contains(file.Notes[0].Text, "inherit more than 1000 lines") {
		t.Error(err, len(file.Notes))
	}
}

func TestLongLinesAreSkipped(t *testing.T) {
	f := func(length int, skipped bool) {
		t.Helper()
		text := "[a]\nx=" + strings.Repeat("1", length-2) + "\ny=2\n"
		file, err := tree(map[string]string{"main.conf": text}).Read("main.conf")
		if err != nil {
			t.Fatal(err)
		}
		_, found := file.Sections[0].Last("x")
		if found == skipped || (len(file.Notes) == 1) != skipped {
			t.Errorf("%d bytes: found %v, %v", length, found, file.Notes)
		}
		if y, ok := file.Sections[0].Last("y"); !ok || y.Line != 3 {
			t.Errorf("%d bytes: y at %v", length, y.Position)
		}
	}
	f(8189, false)
	f(8190, false)
	f(8191, true)
	f(8192, true)
	f(20000, true)
}

func TestOpenNamesTheFolder(t *testing.T) {
	f := func(name, want string) {
		t.Helper()
		if _, err := Open(name); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	f("/nowhere/at all", "folder /nowhere/at all: no such file or directory")
	f("read_test.go", "folder read_test.go: not a folder")
	opened, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := opened.Read("none.conf"); !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), "read none.conf: ") {
		t.Error(err)
	}
}
