#!/usr/bin/env bash
# Installs what make bench-asterisk needs beside the tests' own: PostgreSQL.
set -euo pipefail
"$(dirname "$0")"/../setup.sh
[ -x /usr/lib/postgresql/15/bin/postgres ] || "$(dirname "$0")"/../install.sh postgresql-15
