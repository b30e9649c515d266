#!/usr/bin/env bash
# install.sh PACKAGE...: installs Debian's packages, as root. No service that comes with
# one is started: a policy that forbids every start is in place meanwhile.
set -euo pipefail
[ $# -eq 0 ] && exit 0
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  echo "missing: $*. Install them (Debian: apt-get install $*), or run as root." >&2
  exit 1
fi
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod 755 "$policy"
fi
apt-get update -q
DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@"
