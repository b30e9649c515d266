package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == benchClient {
		// bench starts this binary as its clients: never run the tests again there.
		os.Exit(Run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	testscript.Main(m, map[string]func(){
		"asterism": func() {
			os.Exit(Run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
		},
	})
}

// TestScripts runs the scripts of testdata, each in a folder of its own that has
// the config asterism.toml.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata",
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(env *testscript.Env) error {
			return os.WriteFile(filepath.Join(env.WorkDir, "asterism.toml"), []byte(testConfig(env.WorkDir)), 0o600)
		},
	})
}

// testConfig is a config that keeps to a folder and to ports of its own.
func testConfig(folder string) string {
	return fmt.Sprintf(`[node]
name = "test"
state = "%[1]s/state"
[store]
url = "sqlite:%[1]s/store/asterism.db"
[asterisk]
listen = "127.0.0.1:0"
[people]
listen = "127.0.0.1:0"
`, folder)
}
