"""Addresses of an Outlook message that was sent inside an organization, whose own addresses are paths."""

import struct
from pathlib import Path

import pytest

from docsieve.parsers.mail.msg import read_msg
from docsieve.parsers.port import ReadOptions
from tests.parsers.office.legacy.samples import write_ole

PATH = "/O=EXAMPLE/OU=FIRST/CN=RECIPIENTS/CN=ANN"
SENDER_NAME, SENDER, SENDER_SMTP, SENT_FOR_NAME, SENT_FOR_SMTP = 0x0C1A, 0x0C1F, 0x5D01, 0x0042, 0x5D02
HEADERS, DISPLAY_TO = 0x007D, 0x0E04


def streams(texts: dict[int, str]) -> dict[str, bytes]:
    return {f"__substg1.0_{number:04X}001F": text.encode("utf-16-le") for number, text in texts.items()}


def write_msg(path: Path, texts: dict[int, str], recipient: dict[int, str], kind: int = 1) -> Path:
    fixed = bytes(8) + struct.pack("<HHIQ", 0x0003, 0x0C15, 0, kind)
    return write_ole(
        path,
        {"__properties_version1.0": bytes(32), **streams(texts)},
        storage=("__recip_version1.0_#00000000", {"__properties_version1.0": fixed, **streams(recipient)}),
    )


def lines_of(path: Path) -> list[str]:
    return [line.text for page in read_msg(path, ReadOptions()).pages for line in page.lines]


@pytest.mark.parametrize(
    ("texts", "shown"),
    [
        ({SENDER_NAME: "Ann", SENDER: "ann@example.org"}, "From: Ann <ann@example.org>"),
        ({SENDER_NAME: "Ann", SENDER: PATH, SENDER_SMTP: "ann@example.org"}, "From: Ann <ann@example.org>"),
        (
            {SENDER_NAME: "Ann", SENDER: PATH, SENT_FOR_NAME: "Ann", SENT_FOR_SMTP: "ann@example.org"},
            "From: Ann <ann@example.org>",
        ),
        (
            {SENDER_NAME: "Ann", SENDER: PATH, HEADERS: 'Received: by x\r\nFrom: "Ann" <ann@example.org>\r\n'},
            "From: Ann <ann@example.org>",
        ),
        ({SENDER_NAME: "Ann", SENDER: PATH, HEADERS: "From: Chief <chief@example.org>\r\n"}, "From: Ann"),
        ({SENDER_NAME: "Ann", SENDER: PATH, SENT_FOR_NAME: "Chief", SENT_FOR_SMTP: "c@example.org"}, "From: Ann"),
        ({SENDER: PATH}, f"From: {PATH}"),
    ],
)
def test_the_sender_has_an_address_that_can_be_answered(tmp_path: Path, texts: dict[int, str], shown: str) -> None:
    assert shown in lines_of(write_msg(tmp_path / "mail.msg", texts, {0x3001: "Ben"}))


@pytest.mark.parametrize(("kind", "header"), [(1, "To"), (2, "Cc"), (3, "Bcc")])
def test_recipients_have_their_addresses(tmp_path: Path, kind: int, header: str) -> None:
    recipient = {0x3001: "Ben", 0x3003: PATH, 0x39FE: "ben@example.org"}

    assert f"{header}: Ben <ben@example.org>" in lines_of(write_msg(tmp_path / "mail.msg", {}, recipient, kind))


def test_recipients_that_are_only_named_are_still_shown(tmp_path: Path) -> None:
    assert "To: Ben; Cem" in lines_of(write_msg(tmp_path / "mail.msg", {DISPLAY_TO: "Ben; Cem"}, {}, kind=2))
