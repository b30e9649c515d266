package config

import (
	"fmt"
	"net/netip"
)

func (r *reader) fill(f field, v value) {
	switch target := f.target.(type) {
	case *string:
		if r.wantKind(f.key, kindText, v) {
			*target = v.text
		}
	case *[]string:
		*target = r.texts(f.key, v)
	case *[]netip.Prefix:
		*target = r.networks(f.key, v)
	default:
		r.wantKind(f.key, kindSection, v)
	}
}

// fillOpen fills one entry of a table whose names the operator chooses.
func (r *reader) fillOpen(above field, key, name string, v value) {
	switch target := above.target.(type) {
	case *map[string]string:
		if *target == nil {
			*target = map[string]string{}
		}
		if r.wantKind(key, kindText, v) {
			(*target)[name] = v.text
		}
	case *map[string][]string:
		if *target == nil {
			*target = map[string][]string{}
		}
		(*target)[name] = r.texts(key, v)
	}
}

// texts returns the elements that are text; the rules go on with those.
func (r *reader) texts(key string, v value) []string {
	if !r.wantKind(key, kindList, v) {
		return nil
	}
	var texts []string
	for i, item := range v.items {
		if item.kind != kindText {
			r.faultAt(item.line, key, fmt.Sprintf("element %d is %s, not text", i+1, item.kind), `write it in quotes, as in ["one", "two"]`)
			continue
		}
		texts = append(texts, item.text)
		r.items[key] = append(r.items[key], item.line)
	}
	return texts
}

func (r *reader) networks(key string, v value) []netip.Prefix {
	var networks []netip.Prefix
	for i, text := range r.texts(key, v) {
		network, err := parseNetwork(text)
		if err != nil {
			r.itemFault(key, i, quoted(text)+" is not a network", `write it like "10.1.0.0/16", "10.1.2.3" or "fd00::/8"`)
			continue
		}
		networks = append(networks, network)
	}
	return networks
}

// wantKind notes a fault unless v is of the wanted kind.
func (r *reader) wantKind(key string, wanted kind, v value) bool {
	if v.kind == wanted {
		return true
	}
	r.refused[key] = true
	name := lastPart(key)
	remedy := map[kind]string{
		kindText:    fmt.Sprintf(`write %s = "..."`, name),
		kindList:    fmt.Sprintf(`write %s = ["..."]`, name),
		kindSection: fmt.Sprintf(`write [%s] and its keys below`, key),
	}[wanted]
	r.fault(key, fmt.Sprintf("%s stands where %s belongs", v.kind, wanted), remedy)
	return false
}
