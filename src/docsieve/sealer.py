"""Seals small secrets, such as a document's password, before they are stored, and signs URLs of the API."""

import hashlib
import hmac
import os
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken

from docsieve.errors.setup import InvalidSecretKey, SealBroken
from docsieve.settings import Settings


class Sealer:
    def __init__(self, key: str) -> None:
        try:
            self._fernet = Fernet(key)
        except ValueError as error:
            raise InvalidSecretKey from error
        self._signing_key = hmac.digest(key.encode(), b"docsieve signed urls", "sha256")

    def sign(self, message: str) -> str:
        return hmac.new(self._signing_key, message.encode(), hashlib.sha256).hexdigest()

    def seal(self, secret: str) -> bytes:
        return self._fernet.encrypt(secret.encode())

    def unseal(self, sealed: bytes) -> str:
        try:
            return self._fernet.decrypt(sealed).decode()
        except InvalidToken as error:
            raise SealBroken from error


def open_sealer(settings: Settings) -> Sealer:
    """The key from the settings, or one made on the first start and kept in a file only we can read."""
    if settings.secret_key is not None:
        return Sealer(settings.secret_key.get_secret_value())
    path = key_file(settings)
    if not path.exists():
        _create_once(path)
    return Sealer(path.read_text().strip())


def key_file(settings: Settings) -> Path:
    """Where the key is, unless it is a setting."""
    return settings.data_dir / "secret.key"


def _create_once(path: Path) -> None:
    """Several processes may start at once: each writes its own file, and the first link wins."""
    path.parent.mkdir(parents=True, exist_ok=True)
    mine = path.with_suffix(f".{os.getpid()}")
    with os.fdopen(os.open(mine, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(Fernet.generate_key())
        os.fsync(file.fileno())
    try:
        os.link(mine, path)
    except FileExistsError:
        pass
    finally:
        mine.unlink()
