"""Archives to unpack: text that compresses about as well as documents do, the same in every run."""

import random
import zipfile
from pathlib import Path

SMALL_FILES = 5_000
LARGE_BYTES = 2_000_000_000
_BLOCK_BYTES = 16 * 1024**2
_SMALLEST, _LARGEST = 500, 8_000


class _Text:
    def __init__(self) -> None:
        self._chance = random.Random(1)
        letters = "abcdefghijklmnopqrstuvwxyz"
        self._words = ["".join(self._chance.choices(letters, k=self._chance.randint(2, 10))) for _ in range(20_000)]

    def of(self, size: int) -> bytes:
        lines: list[str] = []
        length = 0
        while length < size:
            lines.append(" ".join(self._chance.choices(self._words, k=12)))
            length += len(lines[-1]) + 1
        return "\n".join(lines).encode()[:size]

    def letter(self) -> bytes:
        return self.of(self._chance.randint(_SMALLEST, _LARGEST))


def write_small(path: Path) -> Path:
    text = _Text()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(SMALL_FILES):
            archive.writestr(f"folder-{number % 50}/letter-{number}.txt", text.letter())
    return path


def write_large(path: Path) -> Path:
    """One member; the compressor looks back 32 KiB, so a repeated block is as hard as a new one."""
    block = _Text().of(_BLOCK_BYTES)
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("large.txt", "w", force_zip64=True) as member,
    ):
        left = LARGE_BYTES
        while left:
            member.write(block[:left])
            left -= min(left, len(block))
    return path
