#!/usr/bin/env bash
# Debian and Ubuntu ship `venv` apart from Python; this installs it, with sudo where we are not root.
set -euo pipefail
version=$("$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
if ! command -v apt-get >/dev/null; then
  echo "$1 has no venv module; install it with this system's package manager, then try again." >&2
  exit 1
fi
as_root=$([ "$(id -u)" = 0 ] || echo sudo)
$as_root apt-get update -qq
$as_root apt-get install -qq -y "python${version}-venv"
