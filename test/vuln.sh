#!/usr/bin/env bash
# Looks for published vulnerabilities in what we build on and really call. The
# advisories are a Go module like any other, so this needs the module proxy once
# (about 3 minutes to make the index) and nothing from then on.
set -euo pipefail
cd "$(dirname "$0")/.."
advisories=golang.org/x/vulndb@v0.0.0-20261105234957-e22db6528018
index=$(dirname "$(go env GOCACHE)")/asterism-${advisories##*/}

# make_index leaves nothing behind when it breaks off.
make_index() {
  local folder new
  folder=$(go env GOMODCACHE)/$advisories
  new=$(mktemp -d "$index.XXXXXX")
  if (cd "$new" && go mod download "$advisories") && (cd "$folder" && go run ./cmd/indexdb -vulns data/osv -out "$new"); then
    mv "$new" "$index"
  else
    rm -rf "$new"
    return 1
  fi
}

mkdir -p "$(dirname "$index")"
if [ ! -d "$index" ] && ! reason=$(make_index 2>&1); then
  echo "vulnerabilities: not looked for, the advisories could not be fetched: $(tail -n 1 <<<"$reason")" >&2
  [ "${CI:-}" != true ]
  exit
fi
found=$(go tool -modfile=tools/go.mod govulncheck -db "file://$index" ./... 2>&1) && status=0 || status=$?
if [ $status -eq 0 ]; then
  echo "vulnerabilities: none known to ${advisories##*/}"
elif [ $status -ne 3 ] || grep -q '^  Module: ' <<<"$found"; then
  echo "$found" >&2
  exit 1
else
  # Those of the standard library are mended by another Go, not by a change here.
  ids=$(grep -oE '^Vulnerability #[0-9]+: .*' <<<"$found" | sed 's/.*: //' | paste -sd ' ')
  mended=$(grep -oE 'Fixed in: .*@go[0-9.]+' <<<"$found" | sed 's/.*@//' | sort -V | tail -n 1)
  echo "vulnerabilities: in the standard library of $(go env GOVERSION), build releases with $mended: $ids"
fi
