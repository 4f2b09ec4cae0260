"""Folders inside folders, deeper than Python recurses and than a path may be long."""

import os
from pathlib import Path

DEPTH = 3_000


def nest(folder: Path) -> None:
    place = os.open(folder, os.O_RDONLY)
    for _ in range(DEPTH):
        os.mkdir("d", dir_fd=place)
        inner = os.open("d", os.O_RDONLY, dir_fd=place)
        os.close(place)
        place = inner
    os.close(os.open("f", os.O_CREAT | os.O_WRONLY, dir_fd=place))
    os.close(place)
