"""Web pages and e-books that do not begin as they should."""

import random
import zipfile
from pathlib import Path

from docsieve.parsers.port import ReadOptions
from docsieve.parsers.registry import detect, parser_for
from tests.parsers.samples import chapter, write_epub


def test_a_page_that_lost_its_first_element_is_a_page_though_it_says_it_is_xml(tmp_path: Path) -> None:
    source = tmp_path / "page"
    source.write_bytes(b'<?xml version="1.0"?><link rel="a"/><script>x</script></head><body><p>text</p></body>')

    media_type = detect(source.read_bytes())

    assert media_type == "text/html"
    assert [page.text for page in parser_for(media_type).read(source, ReadOptions()).pages] == ["text"]


def test_xml_with_the_names_of_html_stays_xml() -> None:
    assert detect(b'<?xml version="1.0"?><article><body><p>text</p></body></article>') == "application/xml"
    assert detect(b'<?xml version="1.0"?><title>text</title>') == "application/xml"


def test_a_book_that_begins_with_its_contents_is_a_book(tmp_path: Path) -> None:
    plain, late = write_epub(tmp_path / "b", {"a.xhtml": chapter("<p>text</p>")}), tmp_path / "late"
    with zipfile.ZipFile(plain) as found, zipfile.ZipFile(late, "w") as archive:
        archive.writestr("epub/", b"")
        archive.writestr("epub/toc.ncx", "<ncx/>")
        archive.writestr("epub/cover.jpg", random.Random(1).randbytes(16_384))
        for name in found.namelist():
            archive.writestr(name, found.read(name))

    media_type = detect(late.read_bytes()[:8192])

    assert media_type == "application/epub+zip"
    assert [page.text for page in parser_for(media_type).read(late, ReadOptions()).pages] == ["text"]
