package main

import "fmt"

var pgsql = engine{
	name: "pgsql", modules: []string{"res_config_pgsql"},
	settings: func(p *postgres) map[string]string {
		return map[string]string{"res_pgsql.conf": fmt.Sprintf("[general]\ndbhost = 127.0.0.1\ndbport = %d\ndbname = asterisk\ndbuser = asterisk\ndbpass = none\nrequirements = warn\n", p.port)}
	},
	environment: func(*postgres) []string { return nil },
}

// odbc finds its data source through a connection string of its own, so that no
// file outside of the instance is needed.
var odbc = engine{
	name: "odbc", modules: []string{"res_config_odbc", "res_odbc", "res_odbc_transaction"},
	settings: func(p *postgres) map[string]string {
		return map[string]string{
			"res_odbc.conf": "[asterisk]\nenabled => yes\ndsn => asterisk\nusername => asterisk\npassword => none\npre-connect => yes\nmax_connections => 20\n",
			"odbc.ini": fmt.Sprintf("[asterisk]\nDriver = /usr/lib/x86_64-linux-gnu/odbc/psqlodbcw.so\nServername = 127.0.0.1\nPort = %d\nDatabase = asterisk\nUsername = asterisk\n"+
				"Password = none\nReadOnly = No\nMaxVarcharSize = 1024\n", p.port),
		}
	},
	environment: func(*postgres) []string { return []string{"ODBCINI=@etc/odbc.ini"} },
}
