#!/usr/bin/env bash
# Runs all tests with the race detector and says in one line what was skipped.
set -uo pipefail
log=$(mktemp)
trap 'rm -f "$log"' EXIT
go test -race '-gcflags=modernc.org/...=-race=false' -v ./... >"$log" 2>&1
status=$?
grep -E '^(ok|FAIL|panic:)|^ *--- FAIL' "$log"
[ $status -eq 0 ] || grep -B30 -E '^ *--- FAIL' "$log" | tail -100
skipped=$(grep -cE '^ *--- SKIP' "$log")
why=$(grep -oE 'missing program [a-z0-9_-]+' "$log" | sort -u | sed 's/missing program //' | paste -sd, -)
echo "skipped: $skipped tests${why:+ (missing: $why; make setup installs them)}"
exit $status
