"""Office files that a password locks, opened by msoffcrypto into a file of their own."""

import struct
import zlib
from tempfile import SpooledTemporaryFile
from typing import BinaryIO, cast
from xml.parsers.expat import ExpatError

from docsieve.errors import CorruptDocument, PasswordRequired, PasswordWrong, UnsupportedType

# Excel locks workbooks that ask for no password with this one, and so opens them for everyone.
_EVERYONES = "VelvetSweatshop"
_IN_MEMORY = 64 * 1024**2

# A damaged or hostile file can lead the library's arithmetic anywhere.
_FAILURES = (
    *(OSError, ValueError, IndexError, KeyError, TypeError, AttributeError, AssertionError),
    *(struct.error, zlib.error, ExpatError),
)


def decrypted(file: BinaryIO, password: str | None) -> BinaryIO:
    """Raises PasswordRequired, PasswordWrong, CorruptDocument, or UnsupportedType for a lock we cannot open."""
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
            # Whatever its lock is worth, it says that it is locked, and nobody tried a key.
            raise PasswordRequired from error
        if isinstance(error, exceptions.DecryptionError | exceptions.FileFormatError):
            raise UnsupportedType("The document is encrypted in a way that this server cannot open.") from error
        raise CorruptDocument("The document's encryption is damaged.") from error
    unlocked.seek(0)
    return unlocked
