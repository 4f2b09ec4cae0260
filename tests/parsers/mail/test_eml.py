"""Mail as it travels, sound and broken."""

from pathlib import Path

import pytest

from docsieve.errors import DocsieveError
from docsieve.parsers.mail.formats import EML, MBOX
from docsieve.parsers.port import Reading, ReadOptions
from tests.parsers.mail.samples import eml, mail, mbox


def read(path: Path, content: bytes) -> Reading:
    path.write_bytes(content)
    return EML.read(path, ReadOptions())


def text_of(reading: Reading) -> str:
    return "\n".join(page.text for page in reading.pages)


def test_headers_body_and_the_names_of_attachments_are_the_text(tmp_path: Path) -> None:
    text = text_of(EML.read(eml(tmp_path / "mail"), ReadOptions()))

    assert text.splitlines() == [
        "From: Jürgen Müller <jm@example.org>",
        "To: billing@example.org",
        "Date: Mon, 02 Nov 2026 10:00:00 +0100",
        "Subject: Invoice 4711",
        "Dear colleagues,",
        "please pay 12.50 €.",
        "• Rechnung für März.pdf",
    ]


def test_attachments_come_with_name_bytes_and_are_listed(tmp_path: Path) -> None:
    reading = EML.read(eml(tmp_path / "mail"), ReadOptions())

    assert [(entry.name, entry.size) for entry in reading.info.attachments] == [("Rechnung für März.pdf", 8)]
    assert [(found.name, found.content) for found in reading.attachments] == [("Rechnung für März.pdf", b"%PDF-1.4")]
    assert (reading.info.title, reading.info.created) == ("Invoice 4711", "2026-11-02T10:00:00+01:00")


def test_a_mail_inside_a_mail_is_an_attachment_that_is_a_mail(tmp_path: Path) -> None:
    outer = mail(subject="Fwd")
    outer.add_attachment(mail(subject="The inner one"))
    reading = read(tmp_path / "mail", bytes(outer))

    [inner] = reading.attachments
    assert inner.name == "The inner one.eml"
    assert EML.sniff(inner.content) == "message/rfc822"
    assert b"please pay" in inner.content


def test_plain_text_is_preferred_unless_the_web_page_says_far_more(tmp_path: Path) -> None:
    both = mail()
    both.add_alternative("<p>Dear colleagues,</p><p>please pay 12.50 €.</p>", subtype="html")
    stub = mail()
    stub.set_content("See the web page.")
    stub.add_alternative(f"<p>{'The whole story. ' * 20}</p>", subtype="html")

    assert text_of(read(tmp_path / "both", bytes(both))).count("please pay") == 1
    assert "The whole story." in text_of(read(tmp_path / "stub", bytes(stub)))


def test_a_logo_in_the_text_is_not_an_attachment_but_a_picture_that_was_attached_is(tmp_path: Path) -> None:
    message = mail()
    message.add_attachment(b"\x89PNG", maintype="image", subtype="png", filename="scan.png")
    message.add_attachment(b"GIF89a", maintype="image", subtype="gif", cid="<logo>", disposition="inline")

    assert [found.name for found in read(tmp_path / "mail", bytes(message)).attachments] == ["scan.png"]


@pytest.mark.parametrize(
    ("subject", "expected"),
    [
        (b"=?utf-8?B?UmVjaG51bmcgZsO8ciBNw6Ryeg==?=", "Rechnung für März"),
        (b"=?iso-8859-1?Q?Rechnung_f=FCr?= =?iso-8859-1?Q?_M=E4rz?=", "Rechnung für März"),
        ("Rechnung für März".encode(), "Rechnung für März"),
        (b"=?utf-8?B?not base64?=", "=?utf-8?B?not base64?="),
        (b"=?no-such-charset?Q?Rechnung?=", "Rechnung"),
    ],
)
def test_subjects_are_read_however_they_are_written(tmp_path: Path, subject: bytes, expected: str) -> None:
    content = b"From: a@example.org\nMIME-Version: 1.0\nSubject: " + subject + b"\n\nText\n"

    assert read(tmp_path / "mail", content).info.title == expected


@pytest.mark.parametrize(
    "content",
    [
        b"From: a\nDate: never\nContent-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/plain\n\nText",
        b"From: a\nDate: 1\nContent-Type: multipart/mixed\n\nNo boundary but Text",
        b"From: a\nDate: 1\nContent-Type: text/plain; charset=nonsense\n\nText \xfc",
        b"From: a\nDate: 1\nContent-Transfer-Encoding: base64\n\nVGV4dA",
        b"From: a\nDate: 1\nContent-Type: nonsense\n\nText",
    ],
)
def test_broken_mail_is_read_as_far_as_it_goes(tmp_path: Path, content: bytes) -> None:
    assert "Text" in text_of(read(tmp_path / "mail", content))


def test_parts_nested_without_end_end_as_a_clear_failure_or_a_text(tmp_path: Path) -> None:
    head = b"From: a\nDate: 1\n"
    nested = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(3000))
    try:
        read(tmp_path / "mail", head + nested + b"\nText")
    except DocsieveError as error:
        assert error.code == "corrupt_document"


@pytest.mark.parametrize(
    "text", [b"Subject: my holidays\n\nDear diary", b"Note: x\nFrom: y\n", b"key: value\nother: value\n", b"From: me\n"]
)
def test_a_text_with_colons_is_not_mail(text: bytes) -> None:
    assert EML.sniff(text) is None


def test_every_mail_of_a_box_begins_a_page(tmp_path: Path) -> None:
    reading = MBOX.read(mbox(tmp_path / "box"), ReadOptions())

    subjects = [next(line.text for line in page.lines if "Subject" in line.text) for page in reading.pages]
    assert subjects == ["Subject: Mail 0", "Subject: Mail 1", "Subject: Mail 2"]
    assert EML.sniff((tmp_path / "box").read_bytes()) is None
