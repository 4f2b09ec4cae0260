from pathlib import Path

import pytest

from docsieve.domain.pages import Page
from docsieve.errors import CorruptDocument, TooManyPages
from docsieve.parsers.port import ReadOptions
from docsieve.parsers.text import CHARACTERS_A_LINE, LINES_A_PAGE, TextParser


def read(path: Path, data: bytes, max_pages: int = 100) -> list[Page]:
    path.write_bytes(data)
    reading = TextParser().read(path, ReadOptions(max_pages=max_pages))
    pages = list(reading.pages)
    assert len(pages) == reading.page_count
    return pages


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252"])
def test_text_is_read_in_whatever_encoding_it_came(tmp_path: Path, encoding: str) -> None:
    assert read(tmp_path / "text", "Größe: 5 m\r\n“so”\r\n".encode(encoding))[0].text == "Größe: 5 m\n“so”"


def test_bytes_that_no_other_encoding_knows_are_latin_1(tmp_path: Path) -> None:
    assert read(tmp_path / "text", b"a \x81\xe9 b")[0].text == "a é b"


def test_text_that_contradicts_its_own_mark_is_corrupt(tmp_path: Path) -> None:
    with pytest.raises(CorruptDocument):
        read(tmp_path / "text", b"\xef\xbb\xbf\xff\xff")


def test_a_page_holds_sixty_lines_and_a_form_feed_begins_another(tmp_path: Path) -> None:
    lines = [f"line {number}" for number in range(LINES_A_PAGE + 1)]

    pages = read(tmp_path / "text", ("\n".join(lines) + "\flast").encode())

    assert [len(page.lines) for page in pages] == [LINES_A_PAGE, 1, 1]
    assert pages[2].text == "last"


def test_a_long_line_is_wrapped_between_words(tmp_path: Path) -> None:
    [page] = read(tmp_path / "text", b"twelve chars " * 20)

    assert all(len(line.text) <= CHARACTERS_A_LINE for line in page.lines)
    assert page.text.replace("\n", " ") == ("twelve chars " * 20).strip()


def test_a_word_longer_than_a_line_is_cut(tmp_path: Path) -> None:
    [page] = read(tmp_path / "text", b"x" * 250)

    assert [len(line.text) for line in page.lines] == [100, 100, 50]


def test_an_empty_text_is_one_empty_page(tmp_path: Path) -> None:
    assert [page.lines for page in read(tmp_path / "text", b"\n")] == [[]]


def test_more_pages_than_allowed_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TooManyPages):
        read(tmp_path / "text", b"\f\f\f", max_pages=3)


def test_invisible_characters_are_left_out(tmp_path: Path) -> None:
    assert read(tmp_path / "text", b"a\x00b \x07 c\x1bd")[0].text == "ab cd"
