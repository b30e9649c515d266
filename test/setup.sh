#!/usr/bin/env bash
# Installs what the tests use beyond Go: a C compiler for the race detector, the
# sqlite3 program, strace, and the SOAP clients of others: gSOAP, PHP's, zeep,
# SOAP::Lite, Node.js; SIPp, and two Asterisks in folders of their own (lab/setup.sh).
# Does nothing when all is there.
set -euo pipefail
missing=()

# need PACKAGE CHECK...: the Debian package is missing if the check fails.
need() {
  local package=$1
  shift
  "$@" >/dev/null 2>&1 || missing+=("$package")
}

need gcc command -v gcc
need make command -v make
need libc6-dev test -e /usr/include/stdio.h
need sqlite3 command -v sqlite3
need strace command -v strace
need git command -v git
need gsoap command -v wsdl2h
need libgsoap-dev test -e /usr/include/stdsoap2.h
# Debian's modules serve Debian's interpreters, not another one earlier in PATH.
need php-cli test -x /usr/bin/php
need php-soap /usr/bin/php -r 'exit(extension_loaded("soap") ? 0 : 1);'
need python3-zeep /usr/bin/python3 -c 'import zeep'
need libsoap-lite-perl /usr/bin/perl -MSOAP::Lite -e1
need nodejs command -v node
need npm command -v npm
need debootstrap command -v debootstrap
need sip-tester command -v sipp
"$(dirname "$0")"/install.sh "${missing[@]}"
"$(dirname "$0")"/lab/setup.sh
