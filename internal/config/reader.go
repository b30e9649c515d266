package config

// reader fills a Config from settings and collects the faults on the way.
type reader struct {
	config   Config
	clients  map[string]*Client // until closeClients: the fields point into them
	opened   map[string]int     // client -> line where its name is first met
	fields   map[string]field   // every key that is known so far
	sections map[string]bool    // every name above a known key
	order    []string           // the known keys, as in the manual
	refused  map[string]bool    // sections whose own fault speaks for all inside
	items    map[string][]int   // list key -> line of each element that is text
	faults   []Fault
	faulted  map[string]bool // keys that have a fault
}

func newReader(name string) *reader {
	r := &reader{
		config:   Default(),
		clients:  map[string]*Client{},
		opened:   map[string]int{},
		fields:   map[string]field{},
		sections: map[string]bool{"clients": true},
		refused:  map[string]bool{},
		items:    map[string][]int{},
		faulted:  map[string]bool{},
	}
	r.config.file, r.config.lines = name, map[string]int{}
	r.know(r.config.fields())
	return r
}

func (r *reader) know(fields []field) {
	for _, f := range fields {
		r.fields[f.key] = f
		r.order = append(r.order, f.key)
		for section := parent(f.key); section != ""; section = parent(section) {
			r.sections[section] = true
		}
	}
}

// assign puts a setting into its field, or says why it cannot.
func (r *reader) assign(s setting) {
	key := spell(s.path)
	if r.isRefused(key) {
		return
	}
	r.config.lines[key] = s.line
	if len(s.path) > 1 && s.path[0] == "clients" && !r.openClient(s.path[1], s.line) {
		return
	}
	last := len(s.path) - 1
	above := r.fields[spell(s.path[:last])]
	switch f, known := r.fields[key]; {
	case known:
		r.fill(f, s.value)
	case r.sections[key]:
		r.wantKind(key, kindSection, s.value)
	case above.open():
		r.fillOpen(above, key, s.path[last], s.value)
	default:
		r.unknown(key, s.kind)
	}
}

// openClient makes the keys of a client known when its name is first met.
func (r *reader) openClient(name string, line int) bool {
	if r.clients[name] != nil {
		return true
	}
	if problem := clientNameProblem(name); problem != "" {
		key := spell([]string{"clients", name})
		r.refused[key] = true
		r.faultAt(line, key, problem, "name it after its place or purpose, such as [clients.berlin]")
		return false
	}
	client := &Client{}
	r.clients[name], r.opened[name] = client, line
	r.know(client.fields(name))
	return true
}

func (r *reader) closeClients() {
	for name, client := range r.clients {
		if r.config.Clients == nil {
			r.config.Clients = map[string]Client{}
		}
		r.config.Clients[name] = *client
	}
}

// isRefused tells whether a fault of key or of a section above it says enough.
func (r *reader) isRefused(key string) bool {
	for ; key != ""; key = parent(key) {
		if r.refused[key] {
			return true
		}
	}
	return false
}

// fault notes what is wrong with a key.
func (r *reader) fault(key, problem, remedy string) {
	r.faultAt(r.config.lines[key], key, problem, remedy)
}

// missing notes that the setting on line needs key too. A key that stands there
// but could not be read is not missing.
func (r *reader) missing(line int, key, problem, remedy string) {
	if !r.faulted[key] {
		r.faultAt(line, key, problem, remedy)
	}
}

func (r *reader) faultAt(line int, key, problem, remedy string) {
	r.faulted[key] = true
	r.faults = append(r.faults, Fault{Line: line, Key: key, Problem: problem, Remedy: remedy})
}

// itemFault notes what is wrong with one of the texts of a list.
func (r *reader) itemFault(key string, item int, problem, remedy string) {
	r.faultAt(r.items[key][item], key, problem, remedy)
}
