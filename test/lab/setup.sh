#!/usr/bin/env bash
# Makes the folders that the lab's Asterisks live in: Debian's packages of two
# other suites, each put into a folder of its own by debootstrap. Once, then
# seconds. Prints nothing when all is there.
set -euo pipefail
cache=${XDG_CACHE_HOME:-$HOME/.cache}/asterism-test
# suite, and what it is for: 16 with chan_sip, 22 with today's PJSIP.
suites=(bullseye sid)
include=asterisk,ca-certificates,odbc-postgresql
# What the module is built with inside.
include+=,asterisk-dev,gcc,make,libc6-dev,gsoap,libgsoap-dev,libssl-dev,zlib1g-dev
# What a suite's asterisk leaves out: 16 has its voicemail in a package of its own.
declare -A beside=([bullseye]=asterisk-voicemail [sid]=)
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
  if ! debootstrap --variant=minbase --include="$include${beside[$suite]:+,${beside[$suite]}}" "$suite" "$fresh" $(mirror) >"$log" 2>&1; then
    tail -20 "$log" >&2
    echo "debootstrap of $suite: see $log" >&2
    rm -rf "$fresh"
    return 1
  fi
  rm -rf "$fresh"/var/cache/apt/archives/*.deb "$log"
  chmod 755 "$fresh"
  mv -T "$fresh" "$cache/asterisk-$suite"
}

# complete SUITE: puts what is missing into a folder that an older setup made. The
# suite's lists may be of a day that is over: what is beside them came then, too.
complete() {
  local root=$cache/asterisk-$1 packages=${include//,/ }\ ${beside[$1]}
  if chroot "$root" dpkg -s $packages >/dev/null 2>&1; then return; fi
  chroot "$root" sh -c "apt-get -o Acquire::Check-Valid-Until=false update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $packages && apt-get clean" >"$root.log" 2>&1 ||
    { tail -20 "$root.log" >&2; return 1; }
  rm -f "$root.log"
}

jobs=()
for suite in "${suites[@]}"; do
  if [ -x "$cache/asterisk-$suite/usr/sbin/asterisk" ]; then
    # What tests that were killed left behind.
    find "$cache/asterisk-$suite/lab" "$cache/asterisk-$suite/lab-modules" -mindepth 1 -maxdepth 1 -mmin +600 -exec rm -rf {} + 2>/dev/null || true
    [ "$(id -u)" -ne 0 ] || complete "$suite"
    continue
  fi
  if [ "$(id -u)" -ne 0 ]; then
    echo "the lab's Asterisk from $suite is missing: run make setup as root" >&2
    exit 1
  fi
  echo "making $cache/asterisk-$suite (two minutes, 500 MB)"
  make_root "$suite" &
  jobs+=($!)
done
for job in "${jobs[@]}"; do wait "$job"; done
