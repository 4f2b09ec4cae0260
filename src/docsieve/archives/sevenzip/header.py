"""The header of a 7z archive: its folders, which are compressed streams, and the files in them."""

import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field

(_END, _HEADER, _ARCHIVE_PROPERTIES, _ADDITIONAL, _MAIN_STREAMS, _FILES, _PACK_INFO, _UNPACK_INFO, _SUBSTREAMS, _SIZE,
 _DIGEST, _FOLDER, _UNPACK_SIZES, _STREAM_COUNTS, _EMPTY_STREAM, _EMPTY_FILE, _ANTI, _NAMES) = range(18)  # fmt: skip
_ATTRIBUTES, ENCODED_HEADER = 0x15, 0x17
_MAX_FOLDERS = 1_000_000
_MAX_CODERS = 32


class HeaderDamaged(Exception):
    """The directory of the 7z archive is damaged."""


@dataclass(frozen=True, slots=True)
class Coder:
    id: bytes
    properties: bytes


@dataclass(slots=True)
class Folder:
    """A stream and the coders that unpack it, in that order; `coders` is empty if they form no simple chain.

    `sizes` are those after each coder. `files` is the size and the checksum of each file in it.
    """

    coders: list[Coder]
    sizes: list[int]
    streams: int
    crc: int | None = None
    offset: int = 0
    packed_size: int = 0
    files: list[tuple[int, int | None]] = field(default_factory=list)
    order: list[int] = field(default_factory=list)

    @property
    def size(self) -> int:
        return self.sizes[-1]


@dataclass(frozen=True, slots=True)
class File:
    name: str
    has_content: bool
    is_directory: bool
    is_anti: bool
    attributes: int


@dataclass(frozen=True, slots=True)
class Header:
    folders: list[Folder]
    files: list[File]


class _Bytes:
    """Reads the header; raises HeaderDamaged where it ends early."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._place = 0

    def take(self, size: int) -> bytes:
        piece = self._content[self._place : self._place + size]
        if len(piece) < size:
            raise HeaderDamaged
        self._place += size
        return piece

    def byte(self) -> int:
        return self.take(1)[0]

    def number(self) -> int:
        """The leading ones of the first byte count the bytes that follow; its other bits come last."""
        first = self.byte()
        mask, value = 0x80, 0
        for place in range(8):
            if not first & mask:
                return value | (first & (mask - 1)) << 8 * place
            value |= self.byte() << 8 * place
            mask >>= 1
        return value

    def count(self, at_most: int | None = None) -> int:
        """A number of things that each take up at least a bit of what follows."""
        found = self.number()
        left = 8 * (len(self._content) - self._place)
        if found > (left if at_most is None else min(at_most, left)):
            raise HeaderDamaged
        return found

    def bits(self, count: int) -> list[bool]:
        packed = self.take(-(-count // 8))
        return [bool(packed[index // 8] & 0x80 >> index % 8) for index in range(count)]

    def defined(self, count: int) -> list[bool]:
        return [True] * count if self.byte() else self.bits(count)

    def digests(self, count: int) -> list[int | None]:
        return [struct.unpack("<L", self.take(4))[0] if known else None for known in self.defined(count)]


def parse_streams(content: bytes) -> list[Folder]:
    """The streams of an encoded header."""
    return _streams(_Bytes(content))


def parse_header(content: bytes) -> Header:
    source = _Bytes(content)
    if source.byte() != _HEADER:
        raise HeaderDamaged
    kind = source.byte()
    if kind == _ARCHIVE_PROPERTIES:
        while source.byte() != _END:
            source.take(source.number())
        kind = source.byte()
    if kind == _ADDITIONAL:
        _streams(source)
        kind = source.byte()
    folders: list[Folder] = []
    if kind == _MAIN_STREAMS:
        folders = _streams(source)
        kind = source.byte()
    files = _files(source) if kind == _FILES else []
    return Header(folders, files)


def _streams(source: _Bytes) -> list[Folder]:
    packed: list[tuple[int, int]] = []
    folders: list[Folder] = []
    while (kind := source.byte()) != _END:
        if kind == _PACK_INFO:
            packed = _pack_info(source)
        elif kind == _UNPACK_INFO:
            folders = _folders(source)
        elif kind == _SUBSTREAMS:
            _substreams(source, folders)
        else:
            raise HeaderDamaged
    place = 0
    for folder in folders:
        if place + folder.streams > len(packed):
            raise HeaderDamaged
        folder.offset, folder.packed_size = packed[place]
        place += folder.streams
        folder.files = folder.files or [(folder.size, folder.crc)]
    return folders


def _pack_info(source: _Bytes) -> list[tuple[int, int]]:
    position, count = source.number(), source.count()
    sizes = [0] * count
    while (kind := source.byte()) != _END:
        if kind == _SIZE:
            sizes = [source.number() for _ in range(count)]
        elif kind == _DIGEST:
            source.digests(count)
        else:
            raise HeaderDamaged
    found = []
    for size in sizes:
        found.append((position, size))
        position += size
    return found


def _folders(source: _Bytes) -> list[Folder]:
    if source.byte() != _FOLDER:
        raise HeaderDamaged
    count = source.count(_MAX_FOLDERS)
    if source.byte():
        raise HeaderDamaged  # kept in a separate stream, which no program writes
    folders = [_folder(source) for _ in range(count)]
    if source.byte() != _UNPACK_SIZES:
        raise HeaderDamaged
    for folder in folders:
        sizes = [source.number() for _ in folder.sizes]
        folder.sizes = [sizes[index] for index in folder.order] or [max(sizes)]
    while (kind := source.byte()) != _END:
        if kind != _DIGEST:
            raise HeaderDamaged
        for folder, crc in zip(folders, source.digests(count), strict=True):
            folder.crc = crc
    return folders


def _folder(source: _Bytes) -> Folder:
    coders, simple, inputs, outputs = [], True, 0, 0
    for _ in range(source.count(_MAX_CODERS)):
        flags = source.byte()
        identity = source.take(flags & 0x0F)
        taken, given = (source.count(_MAX_CODERS), source.count(_MAX_CODERS)) if flags & 0x10 else (1, 1)
        simple = simple and taken == given == 1
        inputs, outputs = inputs + taken, outputs + given
        coders.append(Coder(identity, source.take(source.number()) if flags & 0x20 else b""))
    if not coders or not outputs:
        raise HeaderDamaged
    # the input of a coder → whose output that is
    pairs = {source.number(): source.number() for _ in range(outputs - 1)}
    streams = inputs - len(pairs)
    if streams < 1:
        raise HeaderDamaged
    if streams > 1:
        for _ in range(streams):
            source.number()
    order = _chain(pairs, len(coders)) if simple else []
    return Folder([coders[index] for index in order], [0] * outputs, streams, order=order)


def _chain(pairs: dict[int, int], count: int) -> list[int]:
    """The coders in the order in which they unpack."""
    last = set(range(count)) - set(pairs.values())
    if len(last) != 1:
        raise HeaderDamaged
    order = [last.pop()]
    while (before := pairs.get(order[-1])) is not None:
        if before in order or before >= count:
            raise HeaderDamaged
        order.append(before)
    if len(order) != count:
        raise HeaderDamaged
    return order[::-1]


def _substreams(source: _Bytes, folders: Sequence[Folder]) -> None:
    counts = [1] * len(folders)
    kind = source.byte()
    if kind == _STREAM_COUNTS:
        counts = [source.count() for _ in folders]
        kind = source.byte()
    sizes: list[list[int]] = []
    for folder, count in zip(folders, counts, strict=True):
        stated = [source.number() for _ in range(count - 1)] if kind == _SIZE else []
        if count > 1 and len(stated) != count - 1:
            raise HeaderDamaged
        sizes.append([*stated, folder.size - sum(stated)] if count else [])
        if count and sizes[-1][-1] < 0:
            raise HeaderDamaged
    if kind == _SIZE:
        kind = source.byte()
    known = [count == 1 and folder.crc is not None for folder, count in zip(folders, counts, strict=True)]
    digests: list[int | None] = []
    while kind != _END:
        if kind != _DIGEST:
            raise HeaderDamaged
        digests = source.digests(sum(count for count, has in zip(counts, known, strict=True) if not has))
        kind = source.byte()
    rest = iter(digests)
    for folder, of_folder, has in zip(folders, sizes, known, strict=True):
        folder.files = [(size, folder.crc if has else next(rest, None)) for size in of_folder]


def _files(source: _Bytes) -> list[File]:
    count = source.count()
    names = [""] * count
    empty = anti = [False] * count
    empty_file: list[bool] = []
    attributes = [0] * count
    while (kind := source.number()) != _END:
        content = _Bytes(source.take(source.number()))
        if kind == _EMPTY_STREAM:
            empty = content.bits(count)
        elif kind == _EMPTY_FILE:
            empty_file = content.bits(sum(empty))
        elif kind == _ANTI:
            anti = _spread(content.bits(sum(empty)), empty)
        elif kind == _NAMES:
            names = _names(content, count)
        elif kind == _ATTRIBUTES:
            known = content.defined(count)
            content.byte()
            attributes = [struct.unpack("<L", content.take(4))[0] if has else 0 for has in known]
    files = _spread(empty_file or [False] * sum(empty), empty)
    return [
        File(names[i], not empty[i], empty[i] and not files[i] and not anti[i], anti[i], attributes[i])
        for i in range(count)
    ]


def _spread(values: Sequence[bool], where: Sequence[bool]) -> list[bool]:
    rest = iter(values)
    return [next(rest, False) if here else False for here in where]


def _names(content: _Bytes, count: int) -> list[str]:
    if content.byte():
        raise HeaderDamaged
    names = []
    for _ in range(count):
        name = bytearray()
        while (pair := content.take(2)) != b"\x00\x00":
            name += pair
        names.append(name.decode("utf-16-le", "replace"))
    return names


def check(content: bytes, crc: int) -> None:
    if zlib.crc32(content) != crc:
        raise HeaderDamaged
