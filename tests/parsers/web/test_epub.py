import zipfile
from pathlib import Path

import pytest

from docsieve.errors import CorruptDocument, TooLarge, UnsupportedType
from docsieve.parsers.port import ReadOptions
from docsieve.parsers.web.formats import EPUB
from tests.parsers.samples import chapter, write_epub

LOCKED = (
    '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><EncryptedData><CipherData>'
    '<CipherReference URI="{}"/></CipherData></EncryptedData></encryption>'
)


def test_chapters_follow_the_spine_and_each_begins_a_page(tmp_path: Path) -> None:
    book = write_epub(tmp_path / "b", {"2.xhtml": chapter("<p>first</p>"), "1.xhtml": chapter("<h1>second</h1>")})

    reading = EPUB.read(book, ReadOptions())

    assert (reading.info.title, reading.info.author) == ("A Book", "Ann, Ben")
    assert [page.text for page in reading.pages] == ["first", "second"]


def test_names_are_resolved_as_links_are(tmp_path: Path) -> None:
    book = write_epub(tmp_path / "b", {"a%20b.xhtml": chapter("<p>text</p>")})

    assert [page.text for page in EPUB.read(book, ReadOptions()).pages] == ["text"]


def test_a_locked_chapter_makes_the_book_unreadable(tmp_path: Path) -> None:
    book = write_epub(tmp_path / "b", {"a.xhtml": b"\x81\x92"}, encryption=LOCKED.format("OEBPS/a.xhtml"))

    with pytest.raises(UnsupportedType):
        EPUB.read(book, ReadOptions())


def test_a_locked_font_does_no_harm(tmp_path: Path) -> None:
    book = write_epub(tmp_path / "b", {"a.xhtml": chapter("<p>x</p>")}, encryption=LOCKED.format("OEBPS/f.otf"))

    assert [page.text for page in EPUB.read(book, ReadOptions()).pages] == ["x"]


def test_a_chapter_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    book = write_epub(tmp_path / "b", {"a.xhtml": b" " * (80 * 1024**2)})

    with pytest.raises(TooLarge):
        EPUB.read(book, ReadOptions())


def test_a_book_without_chapters_is_corrupt(tmp_path: Path) -> None:
    with pytest.raises(CorruptDocument):
        EPUB.read(write_epub(tmp_path / "b", {}), ReadOptions())


def test_a_book_cut_short_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    book = write_epub(tmp_path / "b", {"b.xhtml": chapter("<p>last</p>"), "a.xhtml": chapter("<p>kept</p>")})
    book.write_bytes(book.read_bytes()[: book.read_bytes().rindex(b"PK\x01\x02") - 300])

    assert "kept" in [page.text for page in EPUB.read(book, ReadOptions()).pages]


def test_a_plain_archive_is_not_a_book(tmp_path: Path) -> None:
    path = tmp_path / "z"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        archive.writestr("content.xml", "<a/>")

    assert EPUB.sniff(path.read_bytes()) is None
