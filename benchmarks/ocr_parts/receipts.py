"""Receipts whose true text is known, from the corpora beside the repository."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

CORPORA = Path(__file__).parents[2].parent / "shared" / "corpora"


@dataclass(frozen=True)
class Receipt:
    """`spaced` tells whether the truth kept the spaces between words."""

    image: Path
    lines: list[str]
    spaced: bool


def scanned() -> list[Receipt]:
    """Every line of the scans of `kie_sroie`."""
    folder = CORPORA / "kie_sroie"
    found = []
    for image in sorted((folder / "img").glob("*.jpg")):
        rows = (folder / "box" / f"{image.stem}.csv").read_text(errors="replace").splitlines()
        # Eight coordinates, then the text, which may hold commas itself.
        found.append(Receipt(image, [row.split(",", 8)[8] for row in rows if row.count(",") >= 8], spaced=True))
    return found


def photographed() -> list[Receipt]:
    """The labelled fields of the photos of `kie_wildreceipt`, whose spaces are not known."""
    folder = CORPORA / "kie_wildreceipt"
    records = map(json.loads, (folder / "ground_truth.jsonl").read_text().splitlines())
    return [
        Receipt(folder / record["file"], list(_leaves(record["fields"])), spaced=False)
        for record in sorted(records, key=lambda record: str(record["file"]))
    ]


def _leaves(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for part in value.values():
            yield from _leaves(part)
    elif isinstance(value, list):
        for part in value:
            yield from _leaves(part)
    elif isinstance(value, str) and value:
        yield value
