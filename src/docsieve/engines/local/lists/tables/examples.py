"""Examples that the schema gives for a field: cells of its column have the same form."""

import re
from collections.abc import Iterable

from docsieve.domain.schemas.fields import SchemaField

_GIVEN = re.compile(
    r"\b(?:e\.\s?g\.?|for example|such as|for instance|z\.\s?B\.|p\.\s?ej\.|par ex\w*\.?)[:,]?\s*", re.I
)
_QUOTED = re.compile(r"[\"'“‘„`]([^\"'“”‘’„`]{1,60})[\"'”’`]")
_MAX_TEXT = 300
_MAX_LENGTH = 60
_RUNS = re.compile(r"(\d+)|([^\W\d_]+)|\s+")
_REPEATED = re.compile(r"\b(a)(?: a)+\b")


def examples_of(field: SchemaField) -> tuple[str, ...]:
    said = field.description[:1000]
    return tuple(
        example for found in _GIVEN.finditer(said) for example in _QUOTED.findall(said[found.end() :][:_MAX_TEXT])
    )


def likeness(texts: Iterable[str], examples: Iterable[str]) -> float:
    """From -1 (digits where the examples have letters, or the reverse) over 0 to 1 (all of the same telling form)."""
    wanted = set(map(_form, examples))
    given = [_form(text[:_MAX_LENGTH]) for text in texts]
    if not wanted or not given:
        return 0.0
    return sum(max(_alike(form, other) for other in wanted) for form in given) / len(given)


def _form(text: str) -> str:
    """`A12 - 3456` is `a9 - 9`, however many letters and digits; words in a row are one."""
    form = _RUNS.sub(lambda run: "9" if run[1] else "a" if run[2] else " ", text.strip())
    return _REPEATED.sub(r"\1", form)


def _alike(form: str, other: str) -> float:
    if form == other:
        return 1.0 if "9" in form and len(form) > 1 else 0.0
    return (
        -1.0
        if ("9" in form, "a" in form) in _OPPOSITES
        and ("9" in other, "a" in other) in _OPPOSITES - {("9" in form, "a" in form)}
        else 0.0
    )


_OPPOSITES = {(True, False), (False, True)}
