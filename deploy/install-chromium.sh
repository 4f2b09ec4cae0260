#!/usr/bin/env bash
# The browser tests drive the distribution's own Chromium; this installs it, with sudo where we are not root.
set -euo pipefail
if command -v chromium >/dev/null; then exit 0; fi
if ! command -v apt-get >/dev/null; then
  echo "The browser tests need Chromium; install it with this system's package manager, then try again." >&2
  exit 1
fi
as_root=$([ "$(id -u)" = 0 ] || echo sudo)
$as_root apt-get update -qq
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -qq -y --no-install-recommends chromium fonts-dejavu-core >/dev/null
