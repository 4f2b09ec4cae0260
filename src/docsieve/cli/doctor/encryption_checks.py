"""What `docsieve doctor` says about the keys that encrypt stored files."""

from docsieve.cli.doctor.findings import Finding, bad, good
from docsieve.db.connection.session import Database
from docsieve.errors import DocsieveError
from docsieve.errors.blobs import EncryptionKeyUnavailable
from docsieve.settings import Settings
from docsieve.wiring import open_keyring

_CHECK = "encryption"


async def examine(settings: Settings, url: str) -> Finding:
    """Unwraps a data key of each master key that is in use."""
    try:
        database = await Database.open(url, connections=1)
        try:
            keyring = open_keyring(settings, database)
            count = await keyring.check()
        finally:
            await database.close()
    except EncryptionKeyUnavailable as error:
        return bad(
            _CHECK,
            f"{error.code}: {error.reason}",
            "Set DOCSIEVE_MASTER_KEY to the master key that the files were encrypted with. They cannot be read without "
            "it; jobs wait.",
        )
    except DocsieveError as error:
        return bad(_CHECK, error.detail, "Fix the database first, then run this again.")
    if not keyring.enabled:
        return good(_CHECK, "off: files are stored as they are")
    return good(_CHECK, f"on; the master key opens {count} data key{'s' if count != 1 else ''}")
