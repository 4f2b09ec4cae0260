"""Which texts are mail, however they begin."""

from pathlib import Path

import pytest

from docsieve.parsers.mail.formats import EML, MBOX
from docsieve.parsers.port import ReadOptions
from docsieve.parsers.registry import detect
from docsieve.parsers.text.formats import TEXT

HEADERS = b"From: Ann <ann@example.org>\r\nDate: Mon, 2 Nov 2026 10:00:00 +0100\r\nSubject: Plan\r\n"

MAILS = {
    "after blank lines": b"   \t \n\r\n" + HEADERS + b"\r\nbody",
    "after the sender": b"From ann@example.org\r\n" + HEADERS + b"\r\nbody",
    "with spaces before colons": HEADERS.replace(b":", b"  :", 1) + b"\r\nbody",
    "without spaces after colons": b"To:Ben (a friend)\r\nFrom:ann@example.org\r\nSubject:Plan\r\n\r\nbody",
    "with bytes of any kind below": HEADERS + b"\r\nbody\r\n=ybegin\r\n" + bytes(range(256)),
}


@pytest.mark.parametrize("content", MAILS.values(), ids=MAILS)
def test_mail_is_known_and_read_by_its_headers(tmp_path: Path, content: bytes) -> None:
    source = tmp_path / "mail"
    source.write_bytes(content)

    assert EML.sniff(content) == "message/rfc822"
    text = "\n".join(page.text for page in EML.read(source, ReadOptions()).pages)
    assert "Subject: Plan" in text
    assert "body" in text


@pytest.mark.parametrize(
    "content", [b"Name:x\nFrom:y\nPlace:z\n", b"From here on\nit rains.\n", b"   \n\n", b"\x00\x01\x02\n\n" + HEADERS]
)
def test_what_only_resembles_headers_is_not_mail(content: bytes) -> None:
    assert EML.sniff(content) is None


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_mails_of_a_box_may_begin_without_a_date(tmp_path: Path, mark: bytes) -> None:
    source = tmp_path / "box"
    source.write_bytes(mark + b"\n".join([b"From - \n" + HEADERS + b"\nFrom Russia\nwith love.\n"] * 3))

    assert MBOX.sniff(source.read_bytes()) == "application/mbox"
    assert [page.text.count("Russia") for page in MBOX.read(source, ReadOptions()).pages] == [1, 1, 1]


RECORD = (
    b"From: Sales\nTo: Accounting\nDate: 2 November 2026\nDepartment: Export\nCustomer: Example Ltd\n"
    b"Terms: thirty days\n\nPlease charge the customer.\n"
)


@pytest.mark.parametrize("opening", [b"", b"From the office, 2 November 2026\n"])
def test_a_record_with_fields_that_no_mail_has_is_text_and_keeps_them(tmp_path: Path, opening: bytes) -> None:
    source = tmp_path / "record"
    source.write_bytes(opening + RECORD)

    assert detect(source.read_bytes()) == "text/plain"
    [page] = TEXT.read(source, ReadOptions()).pages
    assert "Terms: thirty days" in page.text


def test_a_mail_that_programs_passed_on_may_have_headers_of_any_name() -> None:
    assert EML.sniff(b"Message-ID: <1@example.org>\nMood: sunny\nWeather: mild\n" + HEADERS + b"\nbody") is not None
