#!/usr/bin/env bash
# The tests of dispatch start the distribution's own Redis; this installs it, with sudo where we are not root.
set -euo pipefail
if command -v redis-server >/dev/null; then exit 0; fi
if ! command -v apt-get >/dev/null; then
  echo "The tests of dispatch need redis-server; install it with this system's package manager, then try again." >&2
  exit 1
fi
as_root=$([ "$(id -u)" = 0 ] || echo sudo)
$as_root apt-get update -qq
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -qq -y --no-install-recommends redis-server >/dev/null
