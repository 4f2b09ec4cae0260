"""Text as the rest of the system may hold it: no character that PostgreSQL or JSON refuses."""

import re
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from pydantic import TypeAdapter

T = TypeVar("T")

_SURROGATE = re.compile("[\ud800-\udfff]")

# NUL is refused by PostgreSQL; the other controls and the non-characters carry nothing a reader can see.
_INVISIBLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufdd0-\ufdef\ufeff\ufffe\uffff]")

# In JSON; a text that spells this out is cleaned in vain.
_NUL = b"\\u0000"
_ESCAPE = b"\\"

# What turns the direction of the text around it: a name with one can show another ending than it has.
_TURNING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def clean(text: str) -> str:
    """Join surrogate pairs, then drop lone surrogates, NUL and control characters other than tab and line ends."""
    if _SURROGATE.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")
    return _INVISIBLE.sub("", text)


def visible(text: str) -> str:
    """For showing: characters that turn the direction of the text are written out, such as [U+202E]."""
    return _TURNING.sub(lambda found: f"[U+{ord(found[0]):04X}]", text)


def cleaned(value: Any) -> Any:
    """The same for every text in lists and dictionaries, their keys too."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {cleaned(key): cleaned(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [cleaned(each) for each in value]
    return value


def clean_json(adapter: "TypeAdapter[T]", value: T) -> tuple[T, bytes]:
    """A value without such characters, and its JSON. Nearly all values are clean, so the JSON is looked at first."""
    # imported here because it would cost every command 100 ms of processor time, `docsieve --help` too
    from pydantic_core import PydanticSerializationError

    try:
        payload = adapter.dump_json(value)
    except PydanticSerializationError:  # of a lone surrogate
        payload = _NUL
    # Most values have no escape at all, and one byte is found twenty times faster than six.
    if _ESCAPE in payload and _NUL in payload:
        value = adapter.validate_python(cleaned(adapter.dump_python(value)))
        payload = adapter.dump_json(value)
    return value, payload
