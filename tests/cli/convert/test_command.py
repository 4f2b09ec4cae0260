"""`docsieve convert` as a user runs it: no server, files in, their content out."""

import json
import shutil
from pathlib import Path

import pypdfium2 as pdfium

from tests.cli.terminal import CommandLine

SAMPLES = Path(__file__).parents[3] / "samples" / "documents"


def test_one_file_goes_to_stdout_as_markdown(docsieve: CommandLine) -> None:
    ran = docsieve.as_process("convert", SAMPLES / "service-agreement.pdf")
    assert ran.code == 0, ran.err
    assert ran.out.startswith("# Service Agreement\n")
    assert "\n## 1. Services\n" in ran.out
    assert "| Bluewater Analytics Ltd | Provider | 5 Harbour Row, Bristol BS1 4QD |" in ran.out
    assert "and report once a month on how accurate it was. The Client shall give" in ran.out


def test_files_of_folders_keep_their_paths_and_no_name_is_written_twice(docsieve: CommandLine, tmp_path: Path) -> None:
    given, out = tmp_path / "in", tmp_path / "out"
    (given / "deep").mkdir(parents=True)
    (given / "note.txt").write_text("First note.")
    (given / "note.md").write_text("Second note.")
    (given / "deep" / "note.txt").write_text("Third note.")
    ran = docsieve("convert", given, "--to", "text", "-o", out)
    assert ran.code == 0, ran.err
    written = {str(path.relative_to(out)): path.read_text().split() for path in out.rglob("*") if path.is_file()}
    assert written == {
        "note.txt": ["Second", "note."],
        "note.txt.txt": ["First", "note."],
        "deep/note.txt": ["Third", "note."],
    }


def test_a_file_that_fails_is_named_and_the_others_are_written(docsieve: CommandLine, tmp_path: Path) -> None:
    given, out = tmp_path / "in", tmp_path / "out"
    given.mkdir()
    shutil.copy(SAMPLES / "discharge-letter.pdf", given / "good.pdf")
    (given / "bad.pdf").write_bytes(b"%PDF-1.7\nnothing")
    ran = docsieve("convert", given, "--to", "json", "-o", out)
    assert ran.code == 1
    assert "bad.pdf: corrupt_document" in ran.err
    assert [path.name for path in out.iterdir()] == ["good.json"]
    assert json.loads((out / "good.json").read_text())["page_count"] == 2


def test_headers_and_footers_can_be_left_out(docsieve: CommandLine) -> None:
    file = SAMPLES / "discharge-letter.pdf"
    kept = docsieve.as_process("convert", file, "--to", "text")
    assert "Page 2 of 2" in kept.out
    ran = docsieve.as_process("convert", file, "--to", "text", "--no-headers")
    assert "Page 2 of 2" not in ran.out
    assert "Laboratory" in ran.out


def test_a_table_becomes_csv_and_a_missing_one_is_an_error(docsieve: CommandLine, tmp_path: Path) -> None:
    file = SAMPLES / "invoice-NL-2026-0417.pdf"
    ran = docsieve("convert", file, "--to", "csv", "--table", "2", "-o", tmp_path / "out")
    assert ran.code == 0, ran.err
    (written,) = (tmp_path / "out").iterdir()
    assert written.read_text().startswith("Pos.,Description,Quantity,Unit,Unit price,Amount\n1,")
    ran = docsieve("convert", file, "--to", "csv", "--table", "9", "-o", tmp_path / "none")
    assert (ran.code, "table_not_found" in ran.err) == (1, True)
    assert list((tmp_path / "none").iterdir()) == []


def test_several_files_need_a_folder(docsieve: CommandLine) -> None:
    assert docsieve("convert", *SAMPLES.glob("*.pdf")).code == 2


def test_an_image_becomes_a_searchable_pdf(docsieve: CommandLine, tmp_path: Path) -> None:
    ran = docsieve("convert", SAMPLES / "receipt-harbour-market.jpg", "--to", "searchable-pdf", "-o", tmp_path / "out")
    assert ran.code == 0, ran.err
    page = pdfium.PdfDocument(tmp_path / "out" / "receipt-harbour-market.pdf")[0]
    text = page.get_textpage().get_text_range()
    assert "Sourdough loaf 4.20" in " ".join(text.split())
    assert (SAMPLES / "receipt-harbour-market.jpg").read_bytes() in (
        tmp_path / "out" / "receipt-harbour-market.pdf"
    ).read_bytes()


def test_a_text_file_cannot_become_a_searchable_pdf(docsieve: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("A note.")
    ran = docsieve("convert", tmp_path / "note.txt", "--to", "searchable-pdf", "-o", tmp_path / "out")
    assert (ran.code, "document_not_scanned" in ran.err) == (1, True)


def test_nothing_but_the_document_is_on_stdout(docsieve: CommandLine) -> None:
    ran = docsieve.as_process("convert", SAMPLES / "receipt-harbour-market.jpg", "--to", "text", "--no-cache")
    assert ran.out.startswith("HARBOUR MARKET\n"), ran.out
