"""Chromium as tests, measurements and pictures of the dashboard all start it."""

import shutil

FLAGS = (
    "--no-sandbox",  # whoever starts it may be root
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def executable() -> str:
    found = shutil.which("chromium")
    if found is None:
        raise RuntimeError("Chromium is not installed: deploy/install-chromium.sh")
    return found
