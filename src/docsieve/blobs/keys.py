"""Validation of blob keys. A valid key cannot escape the root of any store."""

import re

from docsieve.errors.setup import InvalidBlobKey

MAX_KEY_BYTES = 900
MAX_SEGMENT_BYTES = 255

# A leading dot is rejected, which covers "." and ".." and protects the stores' internal folders.
_SEGMENT = rb"[^/.\\\x00-\x1f\x7f][^/\\\x00-\x1f\x7f]{0,%d}" % (MAX_SEGMENT_BYTES - 1)
_KEY = re.compile(rb"%b(?:/%b)*+" % (_SEGMENT, _SEGMENT))


def check_key(key: str) -> str:
    """Return the key, or raise InvalidBlobKey."""
    try:
        encoded = key.encode()
    except UnicodeEncodeError as error:
        raise InvalidBlobKey from error
    if len(encoded) > MAX_KEY_BYTES or _KEY.fullmatch(encoded) is None:
        raise InvalidBlobKey
    return key


def check_prefix(prefix: str) -> str:
    """Return the folder of a listing without its trailing slash. "" is the root."""
    return check_key(prefix.removesuffix("/")) if prefix else ""
