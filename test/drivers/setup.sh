#!/usr/bin/env bash
# Installs what make bench-asterisk needs beside the tests' own: PostgreSQL, of which
# no service is left running.
set -euo pipefail
"$(dirname "$0")"/../setup.sh
[ -x /usr/lib/postgresql/15/bin/postgres ] && exit 0
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  echo "missing: postgresql-15. Install it (Debian: apt-get install postgresql-15), or run as root." >&2
  exit 1
fi
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod 755 "$policy"
fi
apt-get update -q
DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends postgresql-15
