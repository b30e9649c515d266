#!/usr/bin/env bash
# Installs what make bench compares with and measures by: nginx, wrk, gSOAP, a C
# compiler, sqlite3. Does nothing when all is there. No nginx service is left running: a
# policy that forbids every start is in place while its package is installed.
set -euo pipefail
PATH=$PATH:/usr/sbin
declare -A package=([nginx]=nginx-light [wrk]=wrk [wsdl2h]=gsoap [gcc]=gcc [sqlite3]=sqlite3)
missing=()
for program in "${!package[@]}"; do
  command -v "$program" >/dev/null || missing+=("${package[$program]}")
done
[ -e /usr/include/stdsoap2.h ] || missing+=(libgsoap-dev)
[ -e /usr/include/stdio.h ] || missing+=(libc6-dev)
[ ${#missing[@]} -eq 0 ] && exit 0
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  echo "missing: ${missing[*]}. Install them (Debian: apt-get install ${missing[*]}), or run as root." >&2
  exit 1
fi
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod 755 "$policy"
fi
apt-get update -q
DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"
