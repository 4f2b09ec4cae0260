"""Addresses of web pages, with or without their scheme."""

import re

_FIND = re.compile(
    r"(?<![\w@.-])(?:https?://[^\s<>\"'|]{3,500}|www\.[^\s<>\"'|]{3,500}"
    r"|(?:[a-z0-9-]{2,63}\.){1,4}(?:com|org|net|de|at|ch|fr|es|it|nl|pl|pt|se|dk|no|fi|uk|eu|io|gov|edu|info|biz|my|sg|us|ca|au|be|cz)"
    r"(?:/[^\s<>\"'|]{0,300})?(?![\w@-]))",
    re.IGNORECASE,
)


def parse_url(text: str) -> str | None:
    """Return the only address in the text."""
    found = find_urls(text)
    return found[0][2] if len(found) == 1 else None


def find_urls(text: str) -> list[tuple[int, int, str]]:
    found = []
    for match in _FIND.finditer(text[:20_000]):
        said = match[0].rstrip(".,;:)]")
        found.append((match.start(), match.start() + len(said), said))
    return found
