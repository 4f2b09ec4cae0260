"""Encrypted OpenDocument packages: every part is encrypted separately, with a key derived from the password."""

import base64
import hashlib
import hmac
import zlib
from dataclasses import dataclass
from io import BytesIO

from docsieve.errors import PasswordRequired, PasswordWrong, TooLarge, UnsupportedType
from docsieve.parsers.office.markup import Element, attribute, child, children, number, part
from docsieve.parsers.office.package import PART_BYTES, Package, Readable

_MANIFEST = "META-INF/manifest.xml"
_MAX_ITERATIONS = 10_000_000
_KEY_SIZES = (16, 24, 32)
_CHECKED_BYTES = 1024


@dataclass(frozen=True, slots=True)
class _Lock:
    algorithm: str
    vector: bytes
    derivation: str
    salt: bytes
    iterations: int
    key_size: int
    start_key: str
    checksum_kind: str
    checksum: bytes


class _UnlockedPackage(Package):
    """A package that decrypts parts; the key is derived for each part."""

    def __init__(self, package: Package, locks: dict[str, _Lock], password: str) -> None:
        super().__init__(package.file)
        self._locks = locks
        self._password = password

    def stream(self, name: str) -> Readable:
        lock = self._locks.get(name.lower())
        if lock is None:
            return super().stream(name)
        return BytesIO(_unlock(super().stream(name).read(PART_BYTES), lock, self._password))


def unlocked(package: Package, password: str | None) -> Package:
    """Raises PasswordRequired, PasswordWrong, or UnsupportedType for unknown encryption."""
    locks = _locks(package)
    if not locks:
        return package
    if password is None:
        raise PasswordRequired
    opened = _UnlockedPackage(package, locks, password)
    if "content.xml" in locks:
        opened.stream("content.xml")
    else:
        raise UnsupportedType("The encryption method of the document is not supported.")
    return opened


def _locks(package: Package) -> dict[str, _Lock]:
    root = part(package, _MANIFEST)
    locks = {}
    for entry in children(root, "file-entry") if root is not None else ():
        data = child(entry, "encryption-data")
        if data is not None:
            locks[(attribute(entry, "full-path") or "").lower()] = _lock(data)
    return locks


def _lock(data: Element) -> _Lock:
    algorithm, derivation = child(data, "algorithm"), child(data, "key-derivation")
    return _Lock(
        algorithm=_of(algorithm, "algorithm-name").lower(),
        vector=_bytes(_of(algorithm, "initialisation-vector")),
        derivation=_of(derivation, "key-derivation-name").lower(),
        salt=_bytes(_of(derivation, "salt")),
        iterations=number(derivation, "iteration-count"),
        key_size=number(derivation, "key-size", 16),
        start_key=_of(child(data, "start-key-generation"), "start-key-generation-name").lower(),
        checksum_kind=_of(data, "checksum-type").lower(),
        checksum=_bytes(_of(data, "checksum")),
    )


def _unlock(content: bytes, lock: _Lock, password: str) -> bytes:
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    known = lock.algorithm.endswith(("aes256-cbc", "aes192-cbc", "aes128-cbc")) and lock.derivation.endswith("pbkdf2")
    if (
        not known
        or lock.key_size not in _KEY_SIZES
        or len(lock.vector) != 16
        or not 0 < lock.iterations < _MAX_ITERATIONS
    ):
        raise UnsupportedType("The encryption method of the document is not supported.")
    if not content or len(content) % 16:
        raise PasswordWrong
    digest = hashlib.sha256 if "sha256" in lock.start_key else hashlib.sha1
    key = hashlib.pbkdf2_hmac("sha1", digest(password.encode()).digest(), lock.salt, lock.iterations, lock.key_size)
    decryptor = Cipher(algorithms.AES(key), modes.CBC(lock.vector)).decryptor()
    packed = decryptor.update(content) + decryptor.finalize()
    packed = packed[: -packed[-1]] if 0 < packed[-1] <= 16 else packed
    check = hashlib.sha256 if "sha256" in lock.checksum_kind else hashlib.sha1
    if not hmac.compare_digest(check(packed[:_CHECKED_BYTES]).digest(), lock.checksum):
        raise PasswordWrong
    try:
        plain = zlib.decompressobj(-15).decompress(packed, PART_BYTES + 1)
    except zlib.error as error:
        raise PasswordWrong from error
    if len(plain) > PART_BYTES:
        raise TooLarge(f"A part of the document unpacks to more than {PART_BYTES // 1024**2} MB.")
    return plain


def _of(element: Element | None, name: str) -> str:
    return (attribute(element, name) or "") if element is not None else ""


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text)
    except ValueError:
        return b""
