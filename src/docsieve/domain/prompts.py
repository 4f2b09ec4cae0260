"""System-prompt templates: what a project wants a model to know beyond the schema.

A template is plain text with placeholders in double braces. Only what the server itself knows can be filled in, never
text of a document: that is data to a model, and not an instruction.
"""

import re
from collections.abc import Mapping

from docsieve.errors.extractions import PromptInvalid

PLACEHOLDERS = {
    "project": "name of the project",
    "schema": "name and version of the schema, such as invoice@3",
    "language": "ISO 639-1 code of the first document's language, or “unknown”",
    "class": "kind of the first document, such as invoice, or “unknown”",
}

LONGEST_TEMPLATE = 20_000
UNKNOWN = "unknown"

_PLACEHOLDER = re.compile(r"\{\{\s*([^{}]*?)\s*\}\}")


def check_template(template: str) -> None:
    """Raise PromptInvalid for what would never be filled in."""
    if not template.strip():
        raise PromptInvalid("The template is empty.")
    if len(template) > LONGEST_TEMPLATE:
        raise PromptInvalid(f"The template has {len(template):,} characters; {LONGEST_TEMPLATE:,} are the most.")
    unknown = sorted({name for name in _PLACEHOLDER.findall(template) if name not in PLACEHOLDERS})
    if unknown:
        known = ", ".join(f"{{{{{name}}}}}" for name in PLACEHOLDERS)
        shown = ", ".join(f"{{{{{name[:40]}}}}}" for name in unknown[:5])
        raise PromptInvalid(f"There is no placeholder {shown}; those that can be filled in are {known}.")


def filled(template: str, values: Mapping[str, str | None]) -> str:
    """The template with each placeholder's value; one without a value reads “unknown”."""
    return _PLACEHOLDER.sub(lambda found: values.get(found[1]) or UNKNOWN, template)
