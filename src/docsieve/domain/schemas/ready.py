"""The built-in schemas by name. Each is version 0 of its name and stored in `ready/<name>.json`."""

import json
from importlib import resources

from docsieve.domain.schemas.fields import Schema

READY_VERSION = 0


def _load() -> dict[str, Schema]:
    folder = resources.files(__package__) / "ready"
    files = sorted((each for each in folder.iterdir() if each.name.endswith(".json")), key=lambda each: each.name)
    return {each.name.removesuffix(".json"): json.loads(each.read_text("utf-8")) for each in files}


READY: dict[str, Schema] = _load()
