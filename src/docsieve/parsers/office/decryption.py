"""Decrypts password-protected office files with msoffcrypto."""

import struct
import zlib
from tempfile import SpooledTemporaryFile
from typing import BinaryIO, cast
from xml.parsers.expat import ExpatError

from docsieve.errors import CorruptDocument, PasswordRequired, PasswordWrong, UnsupportedType

# Excel encrypts some workbooks that need no password with this one.
_EVERYONES = "VelvetSweatshop"
_IN_MEMORY = 64 * 1024**2

# A damaged or hostile file can lead the library's arithmetic anywhere.
_FAILURES = (
    *(OSError, ValueError, IndexError, KeyError, TypeError, AttributeError, AssertionError),
    *(struct.error, zlib.error, ExpatError),
)


def decrypted(file: BinaryIO, password: str | None) -> BinaryIO:
    """Raises PasswordRequired, PasswordWrong, CorruptDocument, or UnsupportedType for unknown encryption."""
    from msoffcrypto import OfficeFile, exceptions

    # The caller reads and closes it.
    unlocked = cast(BinaryIO, SpooledTemporaryFile(max_size=_IN_MEMORY))  # noqa: SIM115
    file.seek(0)
    try:
        office = OfficeFile(file)
        office.load_key(password=password or _EVERYONES)
        office.decrypt(unlocked)
    except exceptions.InvalidKeyError as error:
        unlocked.close()
        raise (PasswordWrong() if password else PasswordRequired()) from error
    except (exceptions.DecryptionError, exceptions.FileFormatError, exceptions.ParseError, *_FAILURES) as error:
        unlocked.close()
        if not password:
            # The encryption may be damaged, but the file claims to be encrypted and no password was given.
            raise PasswordRequired from error
        if isinstance(error, exceptions.DecryptionError | exceptions.FileFormatError):
            raise UnsupportedType("The encryption method of the document is not supported.") from error
        raise CorruptDocument("The document's encryption is damaged.") from error
    unlocked.seek(0)
    return unlocked
