"""Names of entries: bytes become text, and text becomes a path that is safe to store and to show."""

import re
import unicodedata

from docsieve.archives.port import EntryRefused, Refusal

MAX_PATH_LENGTH = 1024
MAX_NAME_LENGTH = 255

_DRIVE = re.compile(r"^(?:[A-Za-z]:|//[?.]/)+")
# Control characters, and those that change the direction of text: a name must read the way it is.
_INVISIBLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")

_LITTER_NAMES = frozenset({".ds_store", "thumbs.db", "ehthumbs.db", "desktop.ini", ".localized", "icon"})
_LITTER_FOLDERS = frozenset({"__macosx", ".appledouble", ".spotlight-v100", ".trashes", ".fseventsd"})
_SHIFT_JIS_SCRIPTS = ("HIRAGANA", "KATAKANA", "CJK", "FULLWIDTH")


def normalize(raw: str) -> str:
    """The path with forward slashes, without a root, a drive or dots. Raises EntryRefused if it leaves the archive."""
    if "\x00" in raw:
        raise EntryRefused(Refusal.name_invalid)
    text = unicodedata.normalize("NFC", raw).replace("\\", "/")
    text = _INVISIBLE.sub("", _DRIVE.sub("", text))
    parts: list[str] = []
    for part in text.split("/"):
        if part == "..":
            if not parts:
                raise EntryRefused(Refusal.unsafe_path)
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    if not parts:
        raise EntryRefused(Refusal.name_invalid)
    path = "/".join(parts)
    if len(path) > MAX_PATH_LENGTH or max(map(len, parts)) > MAX_NAME_LENGTH:
        raise EntryRefused(Refusal.name_too_long)
    return path


def shown(raw: str) -> str:
    """A name that could not be normalized, as it is listed with its refusal."""
    return _INVISIBLE.sub("\N{REPLACEMENT CHARACTER}", raw.replace("\\", "/"))[:MAX_PATH_LENGTH] or "?"


def is_litter(path: str) -> bool:
    """Whether an operating system left the file behind and no person put it there."""
    *folders, name = path.lower().split("/")
    return name in _LITTER_NAMES or name.startswith("._") or not _LITTER_FOLDERS.isdisjoint(folders)


def decode(raw: bytes) -> str:
    """The text of a name whose encoding the archive does not state.

    UTF-8 does not match other encodings by accident. Shift-JIS is recognized by Japanese letters; the rest is CP437,
    in which ZIP files are written by default and every byte means something.
    """
    for encoding in ("ascii", "utf-8"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    try:
        japanese = raw.decode("cp932")
    except UnicodeDecodeError:
        return raw.decode("cp437")
    return japanese if _is_japanese(japanese) else raw.decode("cp437")


def _is_japanese(text: str) -> bool:
    """Whether all letters beyond ASCII are, and at least two: one may be a coincidence of two bytes of CP437."""
    letters = [letter for letter in text if letter > "\x7f"]
    names = [unicodedata.name(letter, "") for letter in letters]
    # halfwidth letters are single bytes, which in CP437 are ordinary accented letters
    return len(letters) > 1 and all(name.startswith(_SHIFT_JIS_SCRIPTS) for name in names)
