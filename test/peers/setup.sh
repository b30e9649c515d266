#!/usr/bin/env bash
# Installs what make bench compares with and measures by: nginx, wrk, gSOAP, a C
# compiler, sqlite3. Does nothing when all is there.
set -euo pipefail
PATH=$PATH:/usr/sbin
declare -A package=([nginx]=nginx-light [wrk]=wrk [wsdl2h]=gsoap [gcc]=gcc [sqlite3]=sqlite3)
missing=()
for program in "${!package[@]}"; do
  command -v "$program" >/dev/null || missing+=("${package[$program]}")
done
[ -e /usr/include/stdsoap2.h ] || missing+=(libgsoap-dev)
[ -e /usr/include/stdio.h ] || missing+=(libc6-dev)
"$(dirname "$0")"/../install.sh "${missing[@]}"
