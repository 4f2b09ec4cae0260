"""References to schemas and prompts: `invoice` is the current version of a name, `invoice@3` the third."""

import re
from dataclasses import dataclass
from typing import ClassVar, Self

from docsieve.errors import Invalid
from docsieve.errors.extractions import UnknownPrompt, UnknownSchema

_REF = re.compile(r"([a-z0-9][a-z0-9_-]{0,62})(?:@(0|[1-9][0-9]{0,8}))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class VersionRef:
    """A name with a version, or without one for the current version."""

    name: str
    version: int | None = None

    noun: ClassVar[str]
    unknown: ClassVar[type[Invalid]]

    @classmethod
    def parse(cls, text: str) -> Self:
        found = _REF.fullmatch(text)
        if found is None:
            raise cls.unknown(f"Not a valid {cls.noun} name. Use a form such as {cls.noun}-1 or {cls.noun}-1@3.")
        name, version = found.groups()
        return cls(name, int(version) if version is not None else None)

    def __str__(self) -> str:
        return self.name if self.version is None else f"{self.name}@{self.version}"


class SchemaRef(VersionRef):
    noun = "schema"
    unknown = UnknownSchema


class PromptRef(VersionRef):
    noun = "prompt"
    unknown = UnknownPrompt
