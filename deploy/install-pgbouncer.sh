#!/usr/bin/env bash
# Some tests run behind the distribution's own PgBouncer; this installs it, with sudo where we are not root.
set -euo pipefail
if command -v pgbouncer >/dev/null || [ -x /usr/sbin/pgbouncer ]; then exit 0; fi
if ! command -v apt-get >/dev/null; then
  echo "Some tests need PgBouncer; install it with this system's package manager, then try again." >&2
  exit 1
fi
as_root=$([ "$(id -u)" = 0 ] || echo sudo)
$as_root apt-get update -qq
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -qq -y --no-install-recommends pgbouncer >/dev/null
