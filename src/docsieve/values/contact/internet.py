"""Internet addresses: e-mail, and web pages with or without their scheme."""

import re

_EMAIL = re.compile(r"(?<![\w.+-])[\w.+'-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,6}[A-Za-z]{2,24}(?![\w@])")
_URL = re.compile(
    r"(?<![\w@.-])(?:https?://[^\s<>\"'|]{3,500}|www\.[^\s<>\"'|]{3,500}"
    r"|(?:[a-z0-9-]{2,63}\.){1,4}(?:com|org|net|de|at|ch|fr|es|it|nl|pl|pt|se|dk|no|fi|uk|eu|io|gov|edu|info|biz|my|sg|us|ca|au|be|cz)"
    r"(?:/[^\s<>\"'|]{0,300})?(?![\w@-]))",
    re.IGNORECASE,
)


def parse_email(text: str) -> str | None:
    """Return the only address in the text, such as one after `mailto:` or in angle brackets."""
    found = find_emails(text)
    return found[0][2] if len(found) == 1 else None


def find_emails(text: str) -> list[tuple[int, int, str]]:
    if "@" not in text:
        return []
    return [(match.start(), match.end(), match[0]) for match in _EMAIL.finditer(text[:20_000])]


def parse_url(text: str) -> str | None:
    """Return the only address in the text."""
    found = find_urls(text)
    return found[0][2] if len(found) == 1 else None


def find_urls(text: str) -> list[tuple[int, int, str]]:
    found = []
    for match in _URL.finditer(text[:20_000]):
        said = match[0].rstrip(".,;:)]")
        found.append((match.start(), match.start() + len(said), said))
    return found
