#!/usr/bin/env bash
# Installs what the tests use beyond Go: a C compiler for the race detector, the
# sqlite3 program, strace, gSOAP. Does nothing when all is there.
set -euo pipefail
declare -A package=([gcc]=gcc [sqlite3]=sqlite3 [strace]=strace [wsdl2h]=gsoap [git]=git)
missing=()
for program in "${!package[@]}"; do
  command -v "$program" >/dev/null || missing+=("${package[$program]}")
done
[ -e /usr/include/stdio.h ] || missing+=(libc6-dev)
[ ${#missing[@]} -eq 0 ] && exit 0
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  echo "missing: ${missing[*]}. Install them (Debian: apt-get install ${missing[*]}), or run as root." >&2
  exit 1
fi
apt-get update -q
DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"
