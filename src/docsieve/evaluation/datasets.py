"""Datasets with ground truth: a folder with `ground_truth.jsonl`, one document per line.

    {"file": "img/7.jpg", "fields": {"total": "9.00", "items": [{"name": "Tea"}]}}

`files` names several documents that share one ground truth, and `schema` a JSON Schema for the document. `boxes` gives
the locations of values by path, as `{"total": [{"page": 1, "box": [x0, y0, x1, y1]}]}` in points. Omitted fields are
unknown; null means that the document does not contain the field.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from docsieve.domain.pages.page import Box
from docsieve.errors import Invalid

TRUTH = "ground_truth.jsonl"


class Place(BaseModel):
    """The true location of a value. Pages count from 1."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    page: int = 1
    box: Box


class _Entry(BaseModel):
    model_config = ConfigDict(extra="ignore")

    file: str
    files: list[str] = []
    fields: dict[str, Any]
    schema_file: str | None = None
    boxes: dict[str, list[Place]] = {}


@dataclass(frozen=True, slots=True)
class Sample:
    """`name` is the first file as named in the ground truth, `schema` the path of the document's schema, if any."""

    name: str
    paths: tuple[Path, ...]
    truth: dict[str, Any]
    schema: Path | None = None
    boxes: dict[str, list[Place]] = field(default_factory=dict)

    @property
    def path(self) -> Path:
        return self.paths[0]


def load_dataset(folder: Path, *, limit: int | None = None) -> list[Sample]:
    """All documents, or the first `limit`. Raises Invalid with the number of the invalid line."""
    try:
        text = (folder / TRUTH).read_text("utf-8")
    except FileNotFoundError as error:
        raise Invalid(f"{folder} has no {TRUTH}.") from error
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    samples = [_sample(folder, number, line) for number, line in lines[:limit]]
    if not samples:
        raise Invalid(f"{folder / TRUTH} lists no documents.")
    return samples


def _sample(folder: Path, number: int, line: str) -> Sample:
    where = f"{folder / TRUTH}, line {number}"
    try:
        said = json.loads(line)
        own = said.pop("schema", None) if isinstance(said, dict) else None
        entry = _Entry.model_validate({**said, "schema_file": own} if isinstance(own, str) else said)
    except (ValueError, RecursionError, ValidationError) as error:
        raise Invalid(f'{where}: it is not {{"file": …, "fields": {{…}}}}.') from error
    paths = tuple(_inside(folder, name, where) for name in entry.files or [entry.file])
    schema = _inside(folder, entry.schema_file, where) if entry.schema_file else None
    return Sample(entry.file, paths, entry.fields, schema, entry.boxes)


def _inside(folder: Path, name: str, where: str) -> Path:
    """Datasets are untrusted and must not refer to files outside their folder."""
    path = folder / name
    if not path.resolve().is_relative_to(folder.resolve()):
        raise Invalid(f"{where}: {name} is outside the folder.")
    if not path.is_file():
        raise Invalid(f"{where}: {name} not found.")
    return path
