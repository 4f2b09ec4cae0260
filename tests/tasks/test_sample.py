"""The sample that a zygote reads before it forks."""

from pathlib import Path

from docsieve.parsers.pdf.format import PDF
from docsieve.parsers.port import ReadOptions
from docsieve.tasks.sample import sample_page, sample_pdf


def test_the_sample_is_a_full_page_with_paragraphs_and_a_ruled_table(tmp_path: Path) -> None:
    path = tmp_path / "sample.pdf"
    path.write_bytes(sample_pdf())

    [page] = PDF.read(path, ReadOptions()).pages

    assert sum(len(line.words) for line in page.lines) > 400
    assert len({line.block for line in page.lines}) > 7
    assert [len(table.cells) for table in page.tables] == [28]


def test_the_page_to_extract_from_has_the_labels_and_the_table_of_the_sample(tmp_path: Path) -> None:
    path = tmp_path / "sample.pdf"
    path.write_bytes(sample_pdf())
    [read] = PDF.read(path, ReadOptions()).pages

    words = {word.text for line in read.lines for word in line.words}

    assert {word.text for line in sample_page().lines for word in line.words} <= words
