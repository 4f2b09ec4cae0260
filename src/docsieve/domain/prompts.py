"""Templates of system prompts, with a project's instructions for language models.

A template is plain text with placeholders in double braces. They are filled with values known to the server, never with
document text, which must reach a model as data and not as an instruction.
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

MAX_TEMPLATE_LENGTH = 20_000
UNKNOWN = "unknown"

_PLACEHOLDER = re.compile(r"\{\{\s*([^{}]*?)\s*\}\}")


def check_template(template: str) -> None:
    """Raise PromptInvalid if the template is empty, too long, or has unknown placeholders."""
    if not template.strip():
        raise PromptInvalid("The template is empty.")
    if len(template) > MAX_TEMPLATE_LENGTH:
        raise PromptInvalid(
            f"The template has {len(template):,} characters; at most {MAX_TEMPLATE_LENGTH:,} are allowed."
        )
    unknown = sorted({name for name in _PLACEHOLDER.findall(template) if name not in PLACEHOLDERS})
    if unknown:
        known = ", ".join(f"{{{{{name}}}}}" for name in PLACEHOLDERS)
        shown = ", ".join(f"{{{{{name[:40]}}}}}" for name in unknown[:5])
        raise PromptInvalid(f"Unknown placeholder {shown}. Known placeholders: {known}.")


def filled(template: str, values: Mapping[str, str | None]) -> str:
    """The template with placeholders replaced by their values, or by “unknown”."""
    return _PLACEHOLDER.sub(lambda found: values.get(found[1]) or UNKNOWN, template)
