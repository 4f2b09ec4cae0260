"""Finds the parts of a ZIP container from its directory, or from local headers if the directory is lost."""

import zipfile
from dataclasses import dataclass
from typing import BinaryIO, Self

from docsieve.parsers.office.zip_head import LOCAL_HEADER, LOCAL_SIGNATURE

_ENCRYPTED = 0x01
_SIZES_FOLLOW = 0x08
_WINDOW = 4 * 1024**2


@dataclass(frozen=True, slots=True)
class Entry:
    """`offset` is that of the local header; a packed size of None is found by unpacking."""

    name: str
    offset: int
    method: int
    encrypted: bool
    packed_size: int | None
    claimed_size: int

    @classmethod
    def of(cls, info: zipfile.ZipInfo) -> Self:
        name = _part_name(info.filename)
        encrypted = bool(info.flag_bits & _ENCRYPTED)
        return cls(name, info.header_offset, info.compress_type, encrypted, info.compress_size, info.file_size)


def salvage(file: BinaryIO, limit: int) -> list[Entry]:
    """Yield entries from their local headers, for a container that was truncated before its directory."""
    found: list[Entry] = []
    position = 0
    while len(found) < limit and (position := _find(file, position)) >= 0:
        file.seek(position)
        header = file.read(LOCAL_HEADER.size)
        if len(header) < LOCAL_HEADER.size:
            break
        fields = LOCAL_HEADER.unpack(header)
        name = file.read(fields[9]).decode("utf-8", "replace")
        unknown = bool(fields[2] & _SIZES_FOLLOW) and fields[7] == 0
        size = None if unknown else fields[7]
        found.append(Entry(_part_name(name), position, fields[3], bool(fields[2] & _ENCRYPTED), size, fields[8]))
        position += LOCAL_HEADER.size + fields[9] + fields[10] + (size or 0)
    return found


def _find(file: BinaryIO, position: int) -> int:
    overlap = len(LOCAL_SIGNATURE) - 1
    while True:
        file.seek(position)
        window = file.read(_WINDOW)
        place = window.find(LOCAL_SIGNATURE)
        if place >= 0:
            return position + place
        if len(window) <= overlap:
            return -1
        position += len(window) - overlap


def _part_name(name: str) -> str:
    return name.replace("\\", "/").lstrip("/")
