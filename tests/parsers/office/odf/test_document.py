import base64
import hashlib
import os
import zlib
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from docsieve.errors import PasswordRequired, PasswordWrong
from tests.parsers.office.reading import lines_of, pages_of, sniffed, text_of
from tests.parsers.office.samples import odf_content, write_odf, write_zip

_OASIS = "application/vnd.oasis.opendocument"


def test_text_is_read_with_headings_lists_notes_and_page_breaks(tmp_path: Path) -> None:
    styles = (
        '<style:style style:name="P" style:family="paragraph"><style:paragraph-properties fo:break-before="page"/>'
        '</style:style><text:list-style style:name="L"><text:list-level-style-number text:level="1" '
        'style:num-format="1" style:num-suffix="."/></text:list-style>'
    )
    inner = (
        "<text:tracked-changes><text:p>deleted</text:p></text:tracked-changes>"
        '<text:h text:outline-level="1">Head</text:h><text:p>a<text:s text:c="2"/>b<text:tab/>c   d<text:note>'
        "<text:note-citation>1</text:note-citation><text:note-body><text:p>note</text:p></text:note-body></text:note></text:p>"
        '<text:list text:style-name="L"><text:list-item><text:p>one</text:p></text:list-item>'
        '<text:list-item><text:p>two</text:p></text:list-item></text:list><text:p text:style-name="P">next</text:p>'
    )

    pages = pages_of(write_odf(tmp_path / "o", "text", inner, styles=styles))

    assert [line.text for line in pages[0].lines] == ["Head", "a b c d[1]", "1. one", "2. two"]
    assert [line.text for line in pages[1].lines] == ["next", "[1] note"]


def test_sheets_are_read_with_spans_repeats_and_iso_dates(tmp_path: Path) -> None:
    inner = (
        '<table:table table:name="Budget"><table:table-row>'
        '<table:table-cell table:number-columns-spanned="2"><text:p>wide</text:p></table:table-cell>'
        "<table:covered-table-cell/></table:table-row><table:table-row>"
        '<table:table-cell office:date-value="2024-01-31"><text:p>31.1.</text:p></table:table-cell>'
        '<table:table-cell office:value-type="percentage" office:value="0.19"><text:p>19 %</text:p></table:table-cell>'
        '</table:table-row><table:table-row table:number-rows-repeated="1048000"><table:table-cell '
        'table:number-columns-repeated="16384"/></table:table-row></table:table>'
        '<table:table table:name="Second"><table:table-row><table:table-cell table:number-columns-repeated="3" '
        'office:value-type="float" office:value="1.5"/></table:table-row></table:table>'
    )

    pages = pages_of(write_odf(tmp_path / "o", "spreadsheet", inner))

    assert [page.text for page in pages] == ["Budget\nwide\n2024-01-31 19 %", "Second\n1.5 1.5 1.5"]
    assert pages[0].tables[0].cells[0].column_span == 2


def test_slides_are_read_in_reading_order_with_their_notes(tmp_path: Path) -> None:
    def frame(text: str, y: str, kind: str = "") -> str:
        box = f"<draw:text-box><text:p>{text}</text:p></draw:text-box>"
        return f'<draw:frame svg:x="1cm" svg:y="{y}" {kind}>{box}</draw:frame>'

    title, notes = 'presentation:class="title"', 'presentation:class="notes"'
    slide = (
        f"<draw:page>{frame('low', '10cm')}{frame('high', '2in')}{frame('Title', '20cm', title)}"
        f"<presentation:notes>{frame('spoken', '1cm', notes)}</presentation:notes></draw:page>"
    )

    assert lines_of(write_odf(tmp_path / "o", "presentation", slide)) == ["Title", "high", "low", "Notes: spoken"]


def test_a_flat_file_is_known_and_read(tmp_path: Path) -> None:
    source = tmp_path / "flat"
    mimetype = f'office:mimetype="{_OASIS}.text"'
    source.write_text(odf_content("text", "<text:p>flat</text:p>", root="document", extra=mimetype))

    assert sniffed(source) == f"{_OASIS}.text-flat-xml"
    assert text_of(source) == "flat"


def _locked(path: Path, password: str) -> Path:
    """As LibreOffice locks it: AES with a key from the hash of the password."""
    content = odf_content("text", "<text:p>hidden words</text:p>").encode()
    packer = zlib.compressobj(wbits=-15)
    packed = packer.compress(content) + packer.flush()
    checksum = hashlib.sha256(packed[:1024]).digest()
    padding = 16 - len(packed) % 16
    salt, vector = os.urandom(16), os.urandom(16)
    key = hashlib.pbkdf2_hmac("sha1", hashlib.sha256(password.encode()).digest(), salt, 1000, 32)
    encryptor = Cipher(algorithms.AES(key), modes.CBC(vector)).encryptor()
    locked = encryptor.update(packed + os.urandom(padding - 1) + bytes([padding])) + encryptor.finalize()
    salt64, vector64, checksum64 = (base64.b64encode(part).decode() for part in (salt, vector, checksum))
    manifest = (
        '<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
        '<m:file-entry m:full-path="content.xml">'
        f'<m:encryption-data m:checksum-type="urn:sha256-1k" m:checksum="{checksum64}">'
        f'<m:algorithm m:algorithm-name="x#aes256-cbc" m:initialisation-vector="{vector64}"/>'
        f'<m:key-derivation m:key-derivation-name="PBKDF2" m:key-size="32" m:iteration-count="1000" m:salt="{salt64}"/>'
        '<m:start-key-generation m:start-key-generation-name="x#sha256" m:key-size="32"/>'
        "</m:encryption-data></m:file-entry></m:manifest>"
    )
    parts: dict[str, str | bytes] = {"content.xml": locked, "META-INF/manifest.xml": manifest}
    return write_zip(path, {"mimetype": f"{_OASIS}.text", **parts})


def test_an_encrypted_file_opens_with_its_password_only(tmp_path: Path) -> None:
    source = _locked(tmp_path / "locked", "sesame")

    assert text_of(source, password="sesame") == "hidden words"
    with pytest.raises(PasswordRequired):
        text_of(source)
    with pytest.raises(PasswordWrong):
        text_of(source, password="open")
