"""Documents inside a signature."""

import base64
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.hazmat.primitives.serialization.pkcs7 import PKCS7Options, PKCS7SignatureBuilder

from docsieve.errors import CorruptDocument, UnsupportedType
from docsieve.parsers.port import ReadOptions
from docsieve.parsers.signed.cms import signed_content
from docsieve.parsers.signed.format import SIGNED
from tests.native import in_child, pages_of


def sign(content: bytes, encoding: Encoding = Encoding.DER) -> bytes:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Signer")])
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    builder = builder.serial_number(1).not_valid_before(now).not_valid_after(now + timedelta(days=1))
    certificate = builder.sign(key, hashes.SHA256())
    signing = PKCS7SignatureBuilder().set_data(content).add_signer(certificate, key, hashes.SHA256())
    return signing.sign(encoding, [PKCS7Options.Binary])


def sample(path: Path) -> Path:
    path.write_bytes(sign(b"A letter that was signed.\n"))
    return path


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A parser works in a separate folder."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("pack", [bytes, base64.encodebytes])
def test_the_signed_document_is_read_by_its_own_parser(tmp_path: Path, pack: object) -> None:
    source = tmp_path / "signed"
    content = sign(b"A letter that was signed.\n")
    source.write_bytes(content if pack is bytes else base64.encodebytes(content))

    assert SIGNED.sniff(source.read_bytes()[:8192]) == "application/pkcs7-mime"
    reading = SIGNED.read(source, ReadOptions())

    assert [page.text for page in reading.pages] == ["A letter that was signed."]
    assert reading.media_type == "text/plain"


def test_a_signature_with_armour_is_read(tmp_path: Path) -> None:
    source = tmp_path / "signed"
    source.write_bytes(sign(b"A letter.\n", Encoding.PEM))

    assert [page.text for page in SIGNED.read(source, ReadOptions()).pages] == ["A letter."]


def test_lengths_that_are_not_stated_are_found() -> None:
    octets = b"\x24\x80" + b"\x04\x03abc" + b"\x04\x03def" + b"\x00\x00"
    inner = b"\x30\x80\x06\x09" + bytes.fromhex("2a864886f70d010701") + b"\xa0\x80" + octets + b"\x00\x00\x00\x00"
    signed = b"\x30\x80\x02\x01\x01\x31\x00" + inner + b"\x00\x00"
    whole = b"\x30\x80\x06\x09" + bytes.fromhex("2a864886f70d010702") + b"\xa0\x80" + signed + b"\x00\x00\x00\x00"

    assert signed_content(whole) == b"abcdef"


def test_damaged_and_unreadable_content_have_their_reasons(tmp_path: Path) -> None:
    content = sign(b"A letter.\n")
    for broken in (content[:40], content[:25], b"\x30\x80" * 200):
        with pytest.raises(CorruptDocument):
            signed_content(broken)
    source = tmp_path / "signed"
    source.write_bytes(sign(bytes(range(256))))
    with pytest.raises(UnsupportedType):
        SIGNED.read(source, ReadOptions())


def test_reading_in_a_child_leaves_nothing_in_the_folder_of_the_tests(tmp_path: Path) -> None:
    source = sample(tmp_path / "signed")
    before = in_child(os.listdir, ".")

    pages_of(SIGNED, source)

    assert in_child(os.listdir, ".") == before
