"""A network namespace in which every address in the world leads to the loopback."""

import shutil
import subprocess

_EVERYWHERE = ("link set lo up", "route add local default dev lo", "-6 route add local default dev lo")


def obstacle(*kinds: str) -> str | None:
    """Why `unshare` cannot make namespaces of these kinds here; None if it can."""
    if shutil.which("ip") is None or shutil.which("unshare") is None:
        return "`ip` and `unshare` are needed to set up a network without exits"
    if subprocess.run(["unshare", *kinds, "true"], capture_output=True, check=False).returncode:
        return "this account may not make a network namespace"
    return None


def lead_everything_to_the_loopback() -> None:
    for command in _EVERYWHERE:
        subprocess.run(["ip", *command.split()], check=True, capture_output=True)
