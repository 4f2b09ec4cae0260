"""`docsieve redact`: what was removed is in no byte, no stream and no pixel of the copy."""

import zlib
from pathlib import Path

import pikepdf
import pypdfium2 as pdfium
import pytest

from docsieve.parsers.image.format import IMAGE
from tests.cli.convert.test_command import SAMPLES
from tests.cli.terminal import CommandLine
from tests.native import pages_of

_INVOICE = SAMPLES / "invoice-NL-2026-0417.pdf"
_SECRETS = ("DE89 3704 0044 0532 0130 00", "NL-2026-0417", "Kestrel & Finch")


def _words_in_bytes(path: Path) -> bytes:
    """All bytes of the file, of its decoded streams and strings, without spaces."""
    found = [path.read_bytes()]
    with pikepdf.open(path) as document:
        for each in document.objects:
            if isinstance(each, pikepdf.Stream):
                try:
                    found.append(each.read_bytes())
                except (pikepdf.PdfError, zlib.error):
                    found.append(each.read_raw_bytes())
            else:
                found.append(repr(each).encode())
    return b"".join(b"".join(found).split())


def test_what_is_redacted_is_nowhere_in_the_copy(docsieve: CommandLine, tmp_path: Path) -> None:
    source, target = tmp_path / "source.pdf", tmp_path / "copy.pdf"
    with pikepdf.open(_INVOICE) as document:
        document.docinfo["/Title"] = f"Invoice {_SECRETS[1]}"
        document.attachments["note.txt"] = b"IBAN " + _SECRETS[0].encode()
        document.save(source)
    assert b"NL-2026-0417" in _words_in_bytes(source)
    wanted = [part for secret in _SECRETS for part in ("--text", secret)]
    ran = docsieve("redact", source, "-o", target, *wanted)
    assert ran.code == 0, ran.err

    content = _words_in_bytes(target)
    page = pdfium.PdfDocument(target)[0]
    text = page.get_textpage().get_text_range()
    image = tmp_path / "page.png"
    page.render(scale=200 / 72).to_pil().save(image)
    (seen,) = pages_of(IMAGE, image)
    for secret in _SECRETS:
        packed = "".join(secret.split())
        assert packed.encode() not in content
        assert packed not in "".join(text.split())
        assert packed not in "".join(seen.text.split())
    assert "Standing desk Fjord" in " ".join(text.split())
    assert "Standing desk" in seen.text.replace("  ", " ")
    with pikepdf.open(target) as document:
        assert len(document.attachments) == 0
        assert "/Info" not in document.trailer


def test_a_text_that_is_not_there_leaves_no_copy(docsieve: CommandLine, tmp_path: Path) -> None:
    ran = docsieve("redact", _INVOICE, "-o", tmp_path / "copy.pdf", "--text", "Not in it", "--pattern", "IBAN")
    assert (ran.code, "nothing_redacted" in ran.err) == (1, True)
    assert not (tmp_path / "copy.pdf").exists()


@pytest.mark.parametrize("options", [[], ["--pattern", "("]])
def test_a_redaction_of_nothing_is_refused(docsieve: CommandLine, tmp_path: Path, options: list[str]) -> None:
    assert docsieve("redact", _INVOICE, "-o", tmp_path / "copy.pdf", *options).code in (1, 2)
    assert not (tmp_path / "copy.pdf").exists()
