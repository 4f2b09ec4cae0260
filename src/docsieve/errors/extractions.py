"""Errors of schemas, prompts, engines, extractions and their review."""

from collections.abc import Sequence
from dataclasses import dataclass

from docsieve.errors import AttemptError, Conflict, Invalid

_MAX_LISTED_PROBLEMS = 20


class UnknownSchema(Invalid):
    """Schema not found."""

    code = "unknown_schema"


@dataclass(frozen=True, slots=True)
class SchemaProblem:
    """`pointer` is a JSON pointer into the schema, such as `/properties/total/type`."""

    pointer: str
    message: str

    def __str__(self) -> str:
        return f"{self.pointer or '/'}: {self.message}"


class SchemaInvalid(Invalid):
    """The schema is not valid."""

    code = "schema_invalid"

    def __init__(self, problems: Sequence[SchemaProblem]) -> None:
        self.problems = list(problems)
        listed = [str(problem) for problem in self.problems[:_MAX_LISTED_PROBLEMS]]
        if len(self.problems) > _MAX_LISTED_PROBLEMS:
            listed.append(f"and {len(self.problems) - _MAX_LISTED_PROBLEMS} more problems")
        super().__init__("; ".join(listed))


class UnknownPrompt(Invalid):
    """Prompt not found."""

    code = "unknown_prompt"


class PromptInvalid(Invalid):
    """The prompt is not a valid template."""

    code = "prompt_invalid"


class TooManyColumns(Invalid):
    """The table would be wider than its format allows."""

    code = "too_many_columns"


class TooManyNames(Conflict):
    """The tenant has reached its limit of schemas or prompts."""

    code = "too_many_names"


class TooManyClasses(Conflict):
    """The tenant has reached its limit of custom classes."""

    code = "too_many_classes"


class StillInUse(Conflict):
    """A project still uses it."""

    code = "still_in_use"


class UnknownEngine(Invalid):
    """Engine not found."""

    code = "unknown_engine"


class NoSchemaChosen(Invalid):
    """No schema could be chosen by the class of the document."""

    code = "no_schema_chosen"


class ClassUncertain(NoSchemaChosen):
    """The class of the document is too uncertain to choose a schema by it."""

    code = "class_uncertain"


class ClassWithoutSchema(NoSchemaChosen):
    """The project assigns no schema to the class of the document."""

    code = "class_without_schema"


class TooManyDocuments(Invalid):
    """The extraction has too many documents."""

    code = "too_many_documents"


class EngineFailed(AttemptError):
    """The extraction engine failed."""

    status = 503
    code = "engine_failed"


class EngineTimeout(EngineFailed):
    """The extraction engine timed out."""

    code = "engine_timeout"


class ExtractionNotCompleted(Conflict):
    """The extraction has no result yet."""

    code = "extraction_not_completed"


class CorrectionInvalid(Invalid):
    """The correction does not match the schema or the documents."""

    code = "correction_invalid"


class NothingToUndo(Conflict):
    """The field has no correction or acceptance to undo."""

    code = "nothing_to_undo"
