#!/usr/bin/env bash
# Runs every fuzz target of the tree, one after the other, for the given time.
set -euo pipefail
time=${1:-10m}
grep -rlE '^func Fuzz' --include='*_test.go' internal | sort | while read -r file; do
  package=./$(dirname "$file")
  grep -oE '^func Fuzz[A-Za-z0-9_]+' "$file" | sed 's/^func //' | while read -r target; do
    echo "== $package $target"
    go test "$package" -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 10x
  done
done
