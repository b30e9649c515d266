package absent

import (
	"cmp"
	"hash/maphash"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"asterism/internal/directory"
)

// Others is shown for clients past MaxClients.
const Others = "others"

// minute is the length of a window in seconds.
const minute = 60

// Keys are the absent keys of a node. A nil one counts nothing.
type Keys struct {
	seed    maphash.Seed
	clients atomic.Pointer[map[netip.Addr]*client] // replaced as a whole
	others  client
	mu      sync.Mutex // guards replacing clients, and looked
	looked  int64      // minute in which nobody was found silent
}

// client is who asks: its counts of this minute and of the one before.
type client struct {
	mu       sync.Mutex // guards all below
	minute   int64      // of windows[current], since 1970
	current  int
	windows  [2]sketch
	lastSeen atomic.Int64 // minute; read without mu
}

// New makes an empty count.
func New() *Keys {
	k := &Keys{seed: maphash.MakeSeed()}
	k.clients.Store(&map[netip.Addr]*client{})
	return k
}

// Key is an absent key and how often a client asked for it in the last minute.
type Key struct {
	Client string `json:"client"`
	Family string `json:"family"`
	Key    string `json:"key"` // the question's conditions; what can't be printed is U+FFFD
	Count  int    `json:"count"`
}

// Missed counts a question that found nothing; now is in seconds since 1970. A
// question that names no key, as one for all rows or for those that expired, is
// passed over. A key that is known costs no allocation.
func (k *Keys) Missed(address netip.Addr, family string, conditions []directory.Condition, now int64) {
	if k == nil || !namesKey(conditions) {
		return
	}
	hash := maphash.String(k.seed, family)
	for i := range conditions {
		c := &conditions[i]
		hash = mix(hash ^ maphash.Bytes(k.seed, c.Column))
		hash = mix(hash ^ maphash.Bytes(k.seed, c.Value) ^ uint64(c.Op))
	}
	c := k.client(address.Unmap(), now/minute)
	c.mu.Lock()
	window := c.turn(now / minute)
	if at, fresh := window.add(hash); fresh {
		window.texts[at].set(family, conditions)
	}
	c.mu.Unlock()
}

// namesKey tells whether a question is about something by name: equality, or a
// pattern that begins with a text, as in "id LIKE 6001;@%".
func namesKey(conditions []directory.Condition) bool {
	for i := range conditions {
		c := &conditions[i]
		switch {
		case len(c.Value) == 0:
		case c.Op == directory.Equal:
			return true
		case c.Op == directory.Like && c.Value[0] != '%' && c.Value[0] != '_' && c.Value[0] != '\\':
			return true
		}
	}
	return false
}

// mix spreads a hash, so that the order of what follows counts.
func mix(hash uint64) uint64 {
	hash *= 0x9E3779B97F4A7C15
	return hash ^ hash>>32
}

// client finds a client's counts, or begins them.
func (k *Keys) client(address netip.Addr, now int64) *client {
	c := (*k.clients.Load())[address]
	if c == nil {
		c = k.admit(address, now)
	}
	if c.lastSeen.Load() != now {
		c.lastSeen.Store(now)
	}
	return c
}

// admit gives a new client counts of its own, if need be in the place of those
// that have fallen silent.
func (k *Keys) admit(address netip.Addr, now int64) *client {
	k.mu.Lock()
	defer k.mu.Unlock()
	clients := *k.clients.Load()
	if c := clients[address]; c != nil {
		return c
	}
	if len(clients) >= MaxClients {
		if k.looked == now {
			return &k.others
		}
		clients = maps.Clone(clients)
		maps.DeleteFunc(clients, func(_ netip.Addr, c *client) bool { return c.silent(now) })
		if len(clients) >= MaxClients {
			k.looked = now
			return &k.others
		}
	}
	clients = maps.Clone(clients)
	c := &client{}
	c.lastSeen.Store(now)
	clients[address] = c
	k.clients.Store(&clients)
	return c
}

// silent tells whether a client asked for nothing absent in this minute and the one before.
func (c *client) silent(now int64) bool { return c.lastSeen.Load() < now-1 }

// turn gives the window of a minute. A clock that steps back goes on with the present one.
func (c *client) turn(now int64) *sketch {
	if now > c.minute {
		if now > c.minute+1 {
			c.windows[c.current].clear()
		}
		c.current = 1 - c.current
		c.windows[c.current].clear()
		c.minute = now
	}
	return &c.windows[c.current]
}

// Top gives the most asked keys, most asked first: so many of each client, so
// many in all. Of the minute before this one it counts the share that the last
// 60 s still cover.
func (k *Keys) Top(now int64, each, all int) []Key {
	if k == nil {
		return nil
	}
	var out []Key
	for address, c := range *k.clients.Load() {
		out = append(out, c.top(address.String(), now, each)...)
	}
	out = append(out, k.others.top(Others, now, each)...)
	slices.SortFunc(out, byCount)
	return out[:min(len(out), all)]
}

func byCount(a, b Key) int {
	return cmp.Or(-cmp.Compare(a.Count, b.Count), strings.Compare(a.Client, b.Client), strings.Compare(a.Family, b.Family), strings.Compare(a.Key, b.Key))
}

func (c *client) top(name string, now int64, most int) []Key {
	c.mu.Lock()
	defer c.mu.Unlock()
	window := c.turn(now / minute)
	before := &c.windows[1-c.current]
	left := minute - int(now%minute) // seconds of the minute before that are less than 60 s ago
	counts := make(map[Key]int, KeysPerClient)
	for i := range window.used {
		counts[window.texts[i].key(name)] += window.certain(i)
	}
	for i := range before.used {
		counts[before.texts[i].key(name)] += (before.certain(i)*left + minute/2) / minute
	}
	out := make([]Key, 0, len(counts))
	for key, count := range counts {
		if key.Count = count; count > 0 {
			out = append(out, key)
		}
	}
	slices.SortFunc(out, byCount)
	return out[:min(len(out), most)]
}
