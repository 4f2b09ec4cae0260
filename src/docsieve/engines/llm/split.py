"""A part in two halves, for a model whose answer to the whole was too long."""

from docsieve.engines.llm.prepare import Part

_SMALLEST = 1_500
_CONTEXT_LINES = 4


def halves(part: Part) -> tuple[Part, Part] | None:
    """Two parts cut between lines near the middle; None where it is too small to be worth it."""
    if len(part.text) < 2 * _SMALLEST:
        return None
    cut = part.text.find("\n", len(part.text) // 2)
    if cut < 0 or cut > len(part.text) - _SMALLEST // 2:
        cut = part.text.rfind("\n", 0, len(part.text) // 2)
    if cut < _SMALLEST // 2:
        return None
    first, second = part.text[:cut], part.text[cut + 1 :]
    header = _header_before(first) if second.startswith("| ") else None
    if header is not None:
        second = f"(the table that goes on here has the columns) {header}\n{second}"
    rows = part.rows // 2
    context = "\n".join(first.split("\n")[-_CONTEXT_LINES:])
    return (
        Part(first, list(part.pages), part.context, rows),
        Part(second, list(part.pages), context, part.rows - rows),
    )


def _header_before(text: str) -> str | None:
    """The first row of the table that the text ends in."""
    header = None
    for line in reversed(text.split("\n")):
        if not line.startswith("| "):
            break
        header = line
    return header
