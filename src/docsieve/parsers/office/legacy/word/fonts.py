"""The encoding of the text in documents of Word 6 and 95, which only the fonts of its runs tell."""

from docsieve.parsers.text.encodings import encoding_among

_ENCODINGS = {
    0: "cp1252", 77: "mac_roman", 128: "cp932", 129: "cp949", 134: "gb18030", 136: "big5", 161: "cp1253",
    162: "cp1254", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250",
}  # fmt: skip
_CHARACTER_SET = 4


def encoding_by_fonts(listed: bytes, text: bytes) -> str:
    """Of the encodings that the list of fonts names, the one that makes most of the text."""
    named = list(dict.fromkeys(_ENCODINGS[number] for number in _character_sets(listed) if number in _ENCODINGS))
    return encoding_among(text.replace(b"\r", b"\n"), named) if named else "cp1252"


def _character_sets(listed: bytes) -> list[int]:
    """A font is described after the size of its description; the whole list after its own size."""
    found = []
    place = 2
    while place + _CHARACTER_SET < len(listed) and listed[place]:
        found.append(listed[place + _CHARACTER_SET])
        place += 1 + listed[place]
    return found
