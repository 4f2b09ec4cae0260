"""E-mail addresses."""

import re

_FIND = re.compile(r"(?<![\w.+-])[\w.+'-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,6}[A-Za-z]{2,24}(?![\w@])")


def parse_email(text: str) -> str | None:
    """Return the only address in the text, such as one after `mailto:` or in angle brackets."""
    found = find_emails(text)
    return found[0][2] if len(found) == 1 else None


def find_emails(text: str) -> list[tuple[int, int, str]]:
    if "@" not in text:
        return []
    return [(match.start(), match.end(), match[0]) for match in _FIND.finditer(text[:20_000])]
