"""Names of field types and the schemas they mean."""

from typing import Any

from docsieve.domain.schemas.fields import Schema
from docsieve.domain.schemas.keywords import STRING_FORMATS
from docsieve.errors.extractions import SchemaInvalid, SchemaProblem

LISTS = ("list", "array", "table", "rows")
GROUPS = ("object", "group", "section", "dict")

_PLAIN = {
    "string": ("", "string", "str", "text", "varchar", "line", "name", "address", "id", "identifier", "number as text"),
    "number": ("number", "float", "double", "decimal", "numeric"),
    "integer": ("integer", "int", "whole number", "count", "year"),
    "boolean": ("boolean", "bool", "checkbox", "yes/no", "flag"),
}
_FORMATTED = {
    ("number", "amount"): ("amount", "money", "price", "currency amount"),
    ("number", "percent"): ("percent", "percentage", "%"),
    ("string", "date"): ("date", "day"),
    ("string", "time"): ("time",),
    ("string", "date-time"): ("date-time", "datetime", "timestamp"),
    ("string", "email"): ("email", "e-mail", "mail"),
    ("string", "phone"): ("phone", "telephone", "tel", "phone number"),
    ("string", "iban"): ("iban",),
    ("string", "uri"): ("uri", "url", "link", "website"),
    ("string", "currency"): ("currency", "currency code"),
    ("string", "country"): ("country", "country code"),
}
_CHOICES = ("enum", "choice", "select", "option")

_LEAVES: dict[str, Schema] = {
    **{alias: {"type": kind} for kind, aliases in _PLAIN.items() for alias in aliases},
    **{alias: {"type": kind, "format": form} for (kind, form), aliases in _FORMATTED.items() for alias in aliases},
}
_SHOWN = (
    "string",
    "number",
    "integer",
    "amount",
    "percent",
    "boolean",
    *STRING_FORMATS[:-2],
    "choice",
    "list",
    "group",
)


def leaf_of(said: str, options: list[Any], pointer: str) -> Schema:
    """The schema of a value of that type, or of one of `options`, if given."""
    name = " ".join(said.lower().split())
    if name not in _LEAVES:
        name = name.removesuffix("s")  # a list of dates
    if name in _CHOICES:
        if not options:
            raise SchemaInvalid([SchemaProblem(pointer, "a choice needs options: a list of its allowed values")])
        return {"type": "string", "enum": options}
    if name not in _LEAVES:
        raise SchemaInvalid([SchemaProblem(pointer, f"“{said[:40]}” is not a type; use one of {', '.join(_SHOWN)}")])
    return {**_LEAVES[name], **({"enum": options} if options else {})}
