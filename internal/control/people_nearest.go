package control

// nearestLength is the longest name, in bytes, for which a likeness is looked for.
const nearestLength = 80

// nearest gives the candidate that a misspelled name is most like, or none.
func nearest(name string, candidates []string) string {
	if len(name) > nearestLength {
		return ""
	}
	best, least := "", max(2, len(name)/3)+1
	for _, candidate := range candidates {
		if slips := distance(name, candidate); slips < least && slips < len(name) {
			best, least = candidate, slips
		}
	}
	return best
}

// distance counts the bytes to insert, remove or replace to make b of a.
func distance(a, b string) int {
	line := make([]int, len(b)+1)
	for j := range line {
		line[j] = j
	}
	for i := range len(a) {
		diagonal := line[0]
		line[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = line[j+1]
			line[j+1] = min(replaced, line[j]+1, line[j+1]+1)
		}
	}
	return line[len(b)]
}
