package control

import "asterism/internal/failure"

// nearestLength is the longest name, in bytes, for which a likeness is looked for.
const nearestLength = 80

// nearest gives the candidate that a misspelled name is most like, or none.
func nearest(name string, candidates []string) string {
	if len(name) > nearestLength {
		return ""
	}
	best, least := "", max(2, len(name)/3)+1
	for _, candidate := range candidates {
		if slips := failure.Distance(name, candidate); slips < least && slips < len(name) {
			best, least = candidate, slips
		}
	}
	return best
}
