"""Builds the dashboard into the package when Docsieve is installed or made into a wheel; Node is needed only then."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_OUTPUT = "src/docsieve/dashboard"
_NODE = "Docsieve's dashboard is built with Node 20 or newer and its npm. Install them, then try again."


class DashboardBuildHook(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        if (root / "web").is_dir() and not _is_fresh(root):
            _build(root / "web")
        build_data["artifacts"].append(_OUTPUT)  # git ignores it, and so would the wheel


def _is_fresh(root: Path) -> bool:
    built = root / _OUTPUT / "index.html"
    if not built.exists():
        return False
    web = root / "web"
    sources = [path for path in web.iterdir() if path.is_file()]
    sources += [path for path in (web / "src").rglob("*") if path.is_file()]
    return built.stat().st_mtime >= max(path.stat().st_mtime for path in sources)


def _build(web: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise RuntimeError(_NODE)
    lock, installed = web / "package-lock.json", web / "node_modules" / ".package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        _run([npm, "ci", "--no-audit", "--no-fund"], web)
        installed.touch()  # npm keeps the lock's own time
    _run([npm, "run", "build"], web)


def _run(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command[1:])} failed in web/. {_NODE}\n{done.stdout[-4000:]}")
