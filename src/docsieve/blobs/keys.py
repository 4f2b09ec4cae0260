"""Which keys a store accepts. A key that passes here cannot leave a store's root, whatever the store."""

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
    """Return the folder that a listing starts in, without its last slash; "" is the root."""
    return check_key(prefix.removesuffix("/")) if prefix else ""


def _is_segment(segment: str) -> bool:
    # A leading dot is refused whole: it covers "." and "..", and keeps the stores' own folders out of reach.
    return (
        segment != ""
        and not segment.startswith(".")
        and "\\" not in segment
        and all(character >= " " and character != "\x7f" for character in segment)
        and len(segment.encode()) <= MAX_SEGMENT_BYTES
    )
