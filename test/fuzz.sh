#!/usr/bin/env bash
# Runs every fuzz target of the tree, one after the other, for the given time.
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:-10m}
failed=()
while IFS=: read -r file target; do
  echo "== $file $target"
  go test "./$(dirname "$file")" -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 10x </dev/null || failed+=("$target")
done < <(grep -roE '^func Fuzz[A-Za-z0-9_]+' --include='*_test.go' internal | sed 's/:func /:/' | sort)
if [ ${#failed[@]} -gt 0 ]; then
  echo "failed: ${failed[*]}; what broke each is in its package's testdata/fuzz" >&2
  exit 1
fi
