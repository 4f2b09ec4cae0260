"""What can be wrong with a schema, told by the place where it stands."""

from collections.abc import Sequence
from dataclasses import dataclass

from docsieve.errors import Invalid

_MOST_TOLD = 20


@dataclass(frozen=True, slots=True)
class SchemaProblem:
    """`pointer` is a JSON pointer into what was given: `/properties/total/type`."""

    pointer: str
    message: str

    def __str__(self) -> str:
        return f"{self.pointer or '/'}: {self.message}"


class SchemaInvalid(Invalid):
    """The schema is not one that values can be extracted by."""

    code = "schema_invalid"

    def __init__(self, problems: Sequence[SchemaProblem]) -> None:
        self.problems = list(problems)
        told = [str(problem) for problem in self.problems[:_MOST_TOLD]]
        if len(self.problems) > _MOST_TOLD:
            told.append(f"and {len(self.problems) - _MOST_TOLD} more problems")
        super().__init__("; ".join(told))


def pointed(pointer: str, *steps: str | int) -> str:
    return pointer + "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)
