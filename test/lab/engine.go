package lab

import (
	"fmt"
	"strings"
)

// Engine is what an Asterisk asks a node by.
type Engine string

// The engines: stock res_config_curl, and the module that this checkout has.
const (
	Curl   Engine = "curl"
	Native Engine = "native"
)

// Engines is both, for tests that must hold on each.
var Engines = []Engine{Curl, Native}

// files are what an engine needs to ask a node for families.
func (e Engine) files(node string, families []string) map[string]string {
	if e == Native {
		return map[string]string{
			"extconfig.conf": mapping(families, "asterism,main,"),
			"asterism.conf":  "[general]\nserver = " + SOAP(node) + "\n",
		}
	}
	return map[string]string{"extconfig.conf": mapping(families, "curl,http://"+node+"/rt/")}
}

// SOAP is the URL of a node's SOAP door.
func SOAP(node string) string { return "http://" + node + "/soap" }

// mapping is an extconfig.conf whose lines end in the table's name.
func mapping(families []string, driver string) string {
	var text strings.Builder
	text.WriteString("[settings]\n")
	for _, name := range families {
		name, table, other := strings.Cut(name, "=")
		if !other {
			table = name
		}
		fmt.Fprintf(&text, "%s => %s%s\n", name, driver, table)
	}
	return text.String()
}
