#!/usr/bin/env bash
# Makes the folders that the lab's Asterisks live in: Debian's packages of two
# other suites, each put into a folder of its own by debootstrap. Once, then
# seconds. Prints nothing when all is there.
set -euo pipefail
cache=${XDG_CACHE_HOME:-$HOME/.cache}/asterism-test
# suite, and what it is for: 16 with chan_sip, 22 with today's PJSIP.
suites=(bullseye sid)
include=asterisk,ca-certificates,odbc-postgresql
mkdir -p "$cache"

# mirror prints where this machine gets its Debian packages from.
mirror() {
  apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Origin: Debian' |
    grep -v security | head -1 || true
}

# make_root SUITE: beside its place first, then renamed, so that what is there is whole.
make_root() {
  local suite=$1 fresh log
  fresh=$(mktemp -d "$cache/new-$suite-XXXXXX")
  log=$fresh.log
  if ! debootstrap --variant=minbase --include="$include" "$suite" "$fresh" $(mirror) >"$log" 2>&1; then
    tail -20 "$log" >&2
    echo "debootstrap of $suite: see $log" >&2
    rm -rf "$fresh"
    return 1
  fi
  rm -rf "$fresh"/var/cache/apt/archives/*.deb "$log"
  chmod 755 "$fresh"
  mv -T "$fresh" "$cache/asterisk-$suite"
}

jobs=()
for suite in "${suites[@]}"; do
  [ -x "$cache/asterisk-$suite/usr/sbin/asterisk" ] && continue
  if [ "$(id -u)" -ne 0 ]; then
    echo "the lab's Asterisk from $suite is missing: run make setup as root" >&2
    exit 1
  fi
  echo "making $cache/asterisk-$suite (two minutes, 500 MB)"
  make_root "$suite" &
  jobs+=($!)
done
for job in "${jobs[@]}"; do wait "$job"; done
