"""Outlook messages, as Outlook wrote them."""

from pathlib import Path

import pytest

from docsieve.parsers.mail.msg import MEDIA_TYPE, read_msg
from docsieve.parsers.port import ReadOptions

CORPUS = Path(__file__).parents[3].parent / "shared" / "corpora" / "office_mail"
MESSAGES = sorted(path for path in CORPUS.rglob("*.msg") if path.read_bytes()[:4] == b"\xd0\xcf\x11\xe0")

pytestmark = pytest.mark.skipif(not MESSAGES, reason="the corpora are not next to the repository")


@pytest.mark.parametrize("path", MESSAGES, ids=lambda path: str(path.stem))
def test_a_message_is_read_with_its_headers(path: Path) -> None:
    reading = read_msg(path, ReadOptions())

    assert "Date: " in "\n".join(page.text for page in reading.pages)
    assert reading.media_type == MEDIA_TYPE
    assert reading.info.created is not None


def test_all_recipients_are_in_the_text() -> None:
    [path] = [path for path in MESSAGES if path.stem == "fake-email-with-cc-and-bcc"]

    text = "\n".join(page.text for page in read_msg(path, ReadOptions()).pages)

    assert "Cc: steve@unstructured.io" in text and "Bcc: hello@unstructured.io" in text
    assert "This is a test email. Please ignore." in text
