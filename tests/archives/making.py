"""Archives for tests, honest and hostile, and what is found in them."""

import io
import struct
import tarfile
import zipfile
import zlib
from pathlib import Path

from docsieve.archives.registry import Opening, open_archive
from docsieve.archives.types import detect
from docsieve.archives.unpack import PACK, Budget, EntryVerdict, Slice, Unpacking

PLENTY = Budget(bytes=1 << 40, entries=1 << 20, entry_bytes=1 << 40, packed_bytes=1 << 40)


def zip_of(*files: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", method) as archive:
        for name, data in files:
            info = zipfile.ZipInfo(name)
            info.compress_type = method
            archive.writestr(info, data)
    return content.getvalue()


def tar_of(*files: tuple[str, bytes], mode: str = "w") -> bytes:
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode=mode) as archive:  # type: ignore[call-overload]
        for name, data in files:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return content.getvalue()


def raw_zip(*entries: tuple[bytes, int, int, bytes, bytes], flags: int = 0) -> bytes:
    """Entries of name, method, attributes, packed bytes and content, with headers that say so."""
    body, directory = b"", b""
    for name, method, attributes, packed, content in entries:
        numbers = (method, 0, 0, zlib.crc32(content), len(packed), len(content), len(name), 0)
        places = (0, 0, 0, 0, attributes, len(body))
        directory += struct.pack("<4s4B2H2H3L5H2L", b"PK\x01\x02", 20, 3, 20, 0, flags, *numbers[:7], *places) + name
        body += struct.pack("<4s5H3L2H", b"PK\x03\x04", 20, flags, *numbers) + name + packed
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, len(entries), len(entries), len(directory), len(body), 0)
    return body + directory + end


def unpack(
    folder: Path,
    content: bytes,
    *,
    name: str = "a",
    password: str | None = None,
    start: int = 0,
    budget: Budget = PLENTY,
) -> tuple[Slice, dict[str, bytes]]:
    """A slice of an archive, and the content of what was unpacked by its path. Everything counts as a known type."""
    source, target = folder / "archive", folder / f"from-{start}"
    source.write_bytes(content)
    target.mkdir()
    media_type = detect(content[:8192])
    assert media_type is not None
    with open_archive(source, Opening(media_type, name, password)) as reader:
        found = Unpacking(target, _known, budget).run(reader, start, on_entry=lambda _: None)
    return found, {entry.path: _content(target, entry) for entry in found.entries if entry.verdict == "unpacked"}


def _known(head: bytes) -> str | None:
    return detect(head) or (None if head.startswith(b"\x00") else "text/plain")


def _content(folder: Path, entry: EntryVerdict) -> bytes:
    if entry.place is None:
        return (folder / str(entry.number)).read_bytes()
    return (folder / PACK).read_bytes()[entry.place :][: entry.size]


def codes(found: Slice) -> dict[str, str | None]:
    return {entry.path: entry.code for entry in found.entries}
