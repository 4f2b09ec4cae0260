"""Validation of blob keys. A valid key cannot escape the root of any store."""

from docsieve.errors.setup import InvalidBlobKey

MAX_KEY_BYTES = 900
MAX_SEGMENT_BYTES = 255


def check_key(key: str) -> str:
    """Return the key, or raise InvalidBlobKey."""
    try:
        encoded = key.encode()
    except UnicodeEncodeError as error:
        raise InvalidBlobKey from error
    if len(encoded) > MAX_KEY_BYTES or not all(_is_segment(segment) for segment in key.split("/")):
        raise InvalidBlobKey
    return key


def check_prefix(prefix: str) -> str:
    """Return the folder of a listing without its trailing slash. "" is the root."""
    return check_key(prefix.removesuffix("/")) if prefix else ""


def _is_segment(segment: str) -> bool:
    # A leading dot is rejected, which covers "." and ".." and protects the stores' internal folders.
    return (
        segment != ""
        and not segment.startswith(".")
        and "\\" not in segment
        and all(character >= " " and character != "\x7f" for character in segment)
        and len(segment.encode()) <= MAX_SEGMENT_BYTES
    )
