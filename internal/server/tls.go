package server

import (
	"crypto/tls"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"asterism/internal/config"
)

// lookEvery is how often at most a handshake looks whether the files of TLS
// changed.
const lookEvery = time.Second

// certificates are the files of TLS as far as they could be used last. They are
// read again when they change; open connections keep what they began with.
type certificates struct {
	door    config.Asterisk
	mode    tls.ClientAuthType
	log     *slog.Logger
	now     func() time.Time
	current atomic.Pointer[tls.Config]
	looked  atomic.Int64 // when, in nanoseconds

	reading sync.Mutex // one reading at a time; no handshake waits for it
	seen    [3]version // guarded by reading
}

// version tells one state of a file from another without reading it.
type version struct {
	device, inode  uint64
	size, modified int64
}

func versionOf(path string) (v version) {
	known, err := os.Stat(path)
	if err != nil {
		return v
	}
	v.size, v.modified = known.Size(), known.ModTime().UnixNano()
	if raw, ok := known.Sys().(*syscall.Stat_t); ok {
		v.device, v.inode = uint64(raw.Dev), raw.Ino
	}
	return v
}

// openCertificates reads the files of a config that sets them. An expired
// certificate is served all the same: a node that stays away would help nobody,
// and whoever does not look at dates goes on.
func openCertificates(cfg config.Config, log *slog.Logger) (*certificates, error) {
	c := &certificates{door: cfg.Asterisk, mode: clientMode(cfg), log: log, now: time.Now}
	c.seen = c.versions()
	id, err := readIdentity(c.door)
	if err != nil {
		return nil, err
	}
	now := c.now()
	if err := id.expired(c.door.TLSCert, now); err != nil {
		log.Error("clients that look at dates will refuse this node", "error", err)
	}
	for _, warning := range id.warnings(c.door, now) {
		log.Warn(warning)
	}
	c.looked.Store(now.UnixNano())
	c.current.Store(id.settings(c.mode))
	return c, nil
}

func (c *certificates) versions() [3]version {
	return [3]version{versionOf(c.door.TLSCert), versionOf(c.door.TLSKey), versionOf(c.door.ClientCA)}
}

// settings are those of every connection; each handshake asks for the newest.
func (c *certificates) settings() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) {
		c.look()
		return c.current.Load(), nil
	}}
}

// look reads the files again when they changed since the last look.
func (c *certificates) look() {
	now, last := c.now().UnixNano(), c.looked.Load()
	if now-last < int64(lookEvery) || !c.looked.CompareAndSwap(last, now) || !c.reading.TryLock() {
		return
	}
	defer c.reading.Unlock()
	if found := c.versions(); found != c.seen {
		c.seen = found
		if err := c.read(); err != nil {
			c.log.Error("the new files of TLS can't be used: those of before go on until the files change again", "error", err)
		}
	}
}

// reload reads the files now.
func (c *certificates) reload() error {
	c.reading.Lock()
	defer c.reading.Unlock()
	c.seen = c.versions()
	return c.read()
}

// read takes the files if they can be used.
func (c *certificates) read() error {
	id, err := readIdentity(c.door)
	if err != nil {
		return err
	}
	now := c.now()
	if err := id.expired(c.door.TLSCert, now); err != nil {
		return err
	}
	for _, warning := range id.warnings(c.door, now) {
		c.log.Warn(warning)
	}
	c.current.Store(id.settings(c.mode))
	c.log.Info("certificate read", "file", c.door.TLSCert, "expires", day(id.chain.Leaf.NotAfter))
	return nil
}
