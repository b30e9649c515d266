package server

import (
	"maps"
	"net"
	"net/netip"
	"slices"
	"strings"
	"time"

	"asterism/internal/access"
	"asterism/internal/config"
)

// readClients makes the clients of a config, with the passwords of their files;
// nil without any.
func readClients(cfg config.Config) (*access.Clients, error) {
	if len(cfg.Clients) == 0 {
		return nil, nil
	}
	var clients []access.Client
	var failed []error
	for _, name := range slices.Sorted(maps.Keys(cfg.Clients)) {
		of := cfg.Clients[name]
		client := access.Client{Name: name, Networks: of.Networks, User: of.User, Certificate: of.Certificate}
		if of.User != "" {
			var err error
			client.Password, err = access.ReadPassword(passwordKey(name), of.PasswordFile)
			failed = append(failed, err)
		}
		clients = append(clients, client)
	}
	if err := joined(failed...); err != nil {
		return nil, err
	}
	return access.New(clients)
}

func passwordKey(client string) string { return "clients." + client + ".password_file" }

// passwordWarnings are what should be mended about password files.
func passwordWarnings(cfg config.Config) (out []string) {
	named := false
	for _, name := range slices.Sorted(maps.Keys(cfg.Clients)) {
		if file := cfg.Clients[name].PasswordFile; file != "" {
			named = true
			out = append(out, openToOthers(passwordKey(name), file)...)
		}
	}
	if named && cfg.Asterisk.TLSCert == "" && !onLoopback(cfg.Asterisk.Listen) {
		out = append(out, "passwords of clients cross the network unencrypted (set "+certificateKey+" and "+privateKeyKey+")")
	}
	return out
}

// checkFiles reads every file that a config names, as a start would.
func checkFiles(cfg config.Config, now time.Time) error {
	_, errClients := readClients(cfg)
	if cfg.Asterisk.TLSCert == "" {
		return errClients
	}
	id, err := readIdentity(cfg.Asterisk)
	if err == nil {
		err = id.expired(cfg.Asterisk.TLSCert, now)
	}
	return joined(errClients, err)
}

// Warnings are what an operator should mend though the config can be served.
func Warnings(cfg config.Config) []string {
	out := passwordWarnings(cfg)
	if cfg.Asterisk.TLSCert == "" {
		return out
	}
	id, err := readIdentity(cfg.Asterisk)
	if err != nil {
		return out // Check says it
	}
	return append(out, id.warnings(cfg.Asterisk, time.Now())...)
}

// onLoopback tells whether only this machine reaches an address.
func onLoopback(listen string) bool {
	host, _, err := net.SplitHostPort(listen)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.Unmap().IsLoopback()
}
