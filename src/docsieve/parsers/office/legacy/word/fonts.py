"""The text encoding of Word 6 and 95 documents, which only their fonts indicate."""

from docsieve.parsers.text.encodings import encoding_among

_ENCODINGS = {
    0: "cp1252", 77: "mac_roman", 128: "cp932", 129: "cp949", 134: "gb18030", 136: "big5", 161: "cp1253",
    162: "cp1254", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250",
}  # fmt: skip
_CHARACTER_SET = 4


def encoding_by_fonts(listed: bytes, text: bytes) -> str:
    """Return the most plausible of the encodings that the font list names."""
    named = list(dict.fromkeys(_ENCODINGS[number] for number in _character_sets(listed) if number in _ENCODINGS))
    return encoding_among(text.replace(b"\r", b"\n"), named) if named else "cp1252"


def _character_sets(listed: bytes) -> list[int]:
    """Each font description follows its size, and the whole list follows its own size."""
    found = []
    place = 2
    while place + _CHARACTER_SET < len(listed) and listed[place]:
        found.append(listed[place + _CHARACTER_SET])
        place += 1 + listed[place]
    return found
