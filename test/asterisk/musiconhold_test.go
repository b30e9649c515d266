package asterisk

import (
	"regexp"
	"strings"
	"testing"

	"asterism/test/lab"
)

// TestMusicPlaysInTheOrderOfThePositions: a playlist comes by position as a number,
// 2 before 10, however its rows were written.
func TestMusicPlaysInTheOrderOfThePositions(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, release lab.Release) {
		home := lab.NewHome(t)
		node := home.Serve(t)
		a := release.Prepare(t, lab.Settings{Node: node.Asterisk, Families: []string{"musiconhold", "musiconhold_entry"}, Files: map[string]string{
			"extensions.conf": onTest(
				"exten => _play.,1,Answer()", "same => n,StartMusicOnHold(${EXTEN:4})", "same => n,Wait(0.2)", "same => n,StopMusicOnHold()", "same => n,Set(GLOBAL(${EXTEN:4})=heard)",
				"exten => listen,1,Wait(5)",
			),
		}})
		// An Asterisk that keeps the classes it was given shows them.
		a.WriteFile(t, "etc/musiconhold.conf", "[general]\ncachertclasses = yes\n[default]\nmode = files\ndirectory = "+a.Inside("moh")+"\n")
		a.Run(t)
		home.Load(t, "musiconhold", [][]string{{"name", "mode", "directory"}, {"lounge", "playlist", ""}, {"garden", "files", a.Inside("garden")}})
		home.Load(t, "musiconhold_entry", [][]string{
			{"name", "position", "entry"},
			{"lounge", "10", a.Inside("songs/last")},
			{"lounge", "2", a.Inside("songs/second")},
			{"lounge", "1", a.Inside("songs/first")},
			{"other", "3", a.Inside("songs/foreign")},
		})
		for _, song := range []string{"songs/first", "songs/second", "songs/last", "songs/foreign", "garden/rose"} {
			a.WriteFile(t, song+".sln", strings.Repeat("\x00", 16000))
		}
		for _, class := range []string{"lounge", "garden"} {
			local(t, a, "play"+class, "listen")
			globalIs(t, a, class, "heard")
		}
		if got := songs(t, a); got != "lounge: first second last; garden: rose" {
			t.Errorf("files by class: %s", got)
		}

		home.Run(t, "delete", "musiconhold_entry", "lounge,10")
		home.Run(t, "set", "musiconhold_entry", "lounge,0", "entry="+a.Inside("songs/last"))
		a.CLI(t, "dialplan set global lounge again")
		a.CLI(t, "moh reload")
		local(t, a, "playlounge", "listen")
		globalIs(t, a, "lounge", "heard")
		if got := songs(t, a); got != "lounge: last first second; garden: " {
			t.Errorf("after a change: %s", got)
		}
		callsEnd(t, a)
		quiet(t, a)
		quietNode(t, node)
	})
}

// songs are the files of the two classes in the order in which Asterisk has them.
func songs(t *testing.T, a *lab.Asterisk) string {
	t.Helper()
	byClass := map[string][]string{}
	class := ""
	for line := range strings.Lines(a.CLI(t, "moh show files")) {
		if found := regexp.MustCompile(`^Class: (\S+)`).FindStringSubmatch(line); found != nil {
			class = found[1]
		}
		if found := regexp.MustCompile(`File: \S+/([a-z]+)`).FindStringSubmatch(line); found != nil {
			byClass[class] = append(byClass[class], found[1])
		}
	}
	return "lounge: " + strings.Join(byClass["lounge"], " ") + "; garden: " + strings.Join(byClass["garden"], " ")
}
