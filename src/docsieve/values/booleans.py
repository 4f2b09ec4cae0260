"""Yes and no: words, and marks in boxes."""

_YES_WORDS = """
yes y true selected checked ja j wahr oui o vrai si sí s sì vero sim verdadeiro tak t prawda ano da kyllä on x
✓ ✔ ☑ ☒ ☓ ✗ ✘ ⊠ ■ ● ◉ [x] (x) :selected:
"""
_NO_WORDS = """
no n false unselected unchecked nein falsch non faux não nao nie nej nei ei ne off
☐ □ ○ ◯ [] () :unselected:
"""
_YES = frozenset(_YES_WORDS.split())
_NO = frozenset(_NO_WORDS.split())

CHECKED_MARKS = frozenset("✓✔☑☒✗✘⊠■●◉")
UNCHECKED_MARKS = frozenset("☐□○◯")


def parse_boolean(text: str) -> bool | None:
    """Parse a text that means yes or no; None for any other text."""
    said = "".join(text.casefold().split()) if len(text) < 40 else ""
    said = said.rstrip(".,;!") or said
    if said in _YES:
        return True
    if said in _NO:
        return False
    return None
