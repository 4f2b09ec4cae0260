from pathlib import Path

from tests.parsers.office.reading import lines_of, pages_of, reading_of, text_of
from tests.parsers.office.samples import paragraph, relations, word_part, write_docx


def _run(inner: str) -> str:
    return f"<w:r>{inner}</w:r>"


def _cell(text: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{paragraph(text)}</w:tc>"


def _related(**parts: str) -> dict[str, str | bytes]:
    """Parts by the kind of their relation, with the relations."""
    targets = {f"rId{kind}": (kind, f"{kind}.xml") for kind in parts}
    return {
        "word/_rels/document.xml.rels": relations(targets),
        **{f"word/{kind}.xml": content for kind, content in parts.items()},
    }


def test_insertions_are_read_and_deletions_are_not(tmp_path: Path) -> None:
    body = (
        "<w:p><w:r><w:t>Price </w:t></w:r><w:del><w:r><w:delText>10</w:delText><w:t>11</w:t></w:r></w:del>"
        "<w:ins><w:r><w:t>12</w:t></w:r></w:ins><w:moveFrom><w:r><w:t>moved</w:t></w:r></w:moveFrom></w:p>"
    )

    assert lines_of(write_docx(tmp_path / "d", body)) == ["Price 12"]


def test_fields_show_their_results_and_not_their_codes(tmp_path: Path) -> None:
    body = (
        '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>DATE \\@</w:instrText></w:r>'
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>1 May</w:t></w:r>'
        '<w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>'
    )

    assert lines_of(write_docx(tmp_path / "d", body)) == ["1 May"]


def test_check_boxes_of_forms_show_their_state(tmp_path: Path) -> None:
    def box(state: str) -> str:
        return _run(
            f'<w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox>{state}</w:checkBox></w:ffData></w:fldChar>'
        )

    body = f"<w:p>{box('<w:checked/>')}{_run('<w:t> yes </w:t>')}{box('')}{_run('<w:t> no</w:t>')}</w:p>"

    assert lines_of(write_docx(tmp_path / "d", body)) == ["☒ yes ☐ no"]


def test_hidden_text_is_left_out_and_content_controls_and_links_are_read(tmp_path: Path) -> None:
    body = (
        "<w:sdt><w:sdtContent><w:p><w:hyperlink><w:r><w:t>link </w:t></w:r></w:hyperlink>"
        "<w:sdt><w:sdtContent><w:r><w:t>control</w:t></w:r></w:sdtContent></w:sdt>"
        "<w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r></w:p></w:sdtContent></w:sdt>"
    )

    assert lines_of(write_docx(tmp_path / "d", body)) == ["link control"]


def test_a_text_box_given_in_two_renderings_is_read_once(tmp_path: Path) -> None:
    content = f"<w:txbxContent>{paragraph('boxed')}</w:txbxContent>"
    body = (
        "<w:p><w:r><w:t>anchor</w:t></w:r><w:r><mc:AlternateContent>"
        f"<mc:Choice Requires='wps'><w:drawing><wps:txbx>{content}</wps:txbx></w:drawing></mc:Choice>"
        f"<mc:Fallback><w:pict><v:textbox>{content}</v:textbox></w:pict></mc:Fallback>"
        "</mc:AlternateContent></w:r></w:p>"
    )

    assert lines_of(write_docx(tmp_path / "d", body)) == ["anchor", "boxed"]


def test_merged_cells_become_spans(tmp_path: Path) -> None:
    wide, tall = '<w:gridSpan w:val="2"/>', '<w:vMerge w:val="restart"/>'
    body = (
        "<w:tbl>"
        f"<w:tr><w:trPr><w:tblHeader/></w:trPr>{_cell('wide', wide)}</w:tr>"
        f"<w:tr>{_cell('tall', tall)}{_cell('b')}</w:tr>"
        f"<w:tr>{_cell('', '<w:vMerge/>')}{_cell('c')}</w:tr>"
        "</w:tbl>"
    )

    [table] = pages_of(write_docx(tmp_path / "d", body))[0].tables

    assert (table.rows, table.columns) == (3, 2)
    found = {cell.text: (cell.row, cell.column, cell.row_span, cell.column_span) for cell in table.cells if cell.text}
    assert found == {"wide": (0, 0, 1, 2), "tall": (1, 0, 2, 1), "b": (1, 1, 1, 1), "c": (2, 1, 1, 1)}
    assert next(cell for cell in table.cells if cell.text == "wide").header


def test_a_nested_table_is_text_of_its_cell(tmp_path: Path) -> None:
    inner = f"<w:tbl><w:tr>{_cell('x')}{_cell('y')}</w:tr></w:tbl>"
    body = f"<w:tbl><w:tr><w:tc>{inner}</w:tc>{_cell('z')}</w:tr></w:tbl>"

    [table] = pages_of(write_docx(tmp_path / "d", body))[0].tables

    assert [cell.text.split() for cell in table.cells] == [["x", "y"], ["z"]]


def test_a_table_of_one_cell_is_a_frame_around_text(tmp_path: Path) -> None:
    page = pages_of(write_docx(tmp_path / "d", f"<w:tbl><w:tr>{_cell('framed')}</w:tr></w:tbl>"))[0]

    assert [line.text for line in page.lines] == ["framed"]
    assert not page.tables


def test_headings_are_detected_from_their_style_and_lists_are_numbered(tmp_path: Path) -> None:
    styles = word_part(
        '<w:style w:styleId="H"><w:name w:val="heading 2"/></w:style>'
        '<w:style w:styleId="Own"><w:name w:val="own"/><w:basedOn w:val="H"/></w:style>',
        root="styles",
    )
    numbering = word_part(
        '<w:abstractNum w:abstractNumId="0">'
        '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>'
        '<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1.%2)"/></w:lvl>'
        '</w:abstractNum><w:num w:numId="7"><w:abstractNumId w:val="0"/></w:num>',
        root="numbering",
    )

    def item(text: str, level: int) -> str:
        return paragraph(text, f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="7"/></w:numPr>')

    body = paragraph("Title", '<w:pStyle w:val="Own"/>') + item("a", 0) + item("b", 1) + item("c", 1) + item("d", 0)
    page = pages_of(write_docx(tmp_path / "d", body, parts=_related(styles=styles, numbering=numbering)))[0]

    assert [(line.text, line.role) for line in page.lines] == [
        ("Title", "heading"),
        ("1. a", "list"),
        ("1.a) b", "list"),
        ("1.b) c", "list"),
        ("2. d", "list"),
    ]


def test_headers_footers_notes_and_comments_are_read_around_the_body(tmp_path: Path) -> None:
    parts = _related(
        header=word_part(paragraph("on top"), root="hdr"),
        footer=word_part(paragraph("below"), root="ftr"),
        footnotes=word_part(
            f'<w:footnote w:id="0">{paragraph("---")}</w:footnote>'
            f'<w:footnote w:id="5">{paragraph("a note")}</w:footnote>',
            root="footnotes",
        ),
        comments=word_part(f'<w:comment w:author="Ada">{paragraph("why?")}</w:comment>', root="comments"),
    )
    body = (
        '<w:p><w:r><w:t>text</w:t></w:r><w:r><w:footnoteReference w:id="5"/></w:r></w:p>'
        '<w:sectPr><w:headerReference w:type="default" r:id="rIdheader"/>'
        '<w:footerReference w:type="default" r:id="rIdfooter"/></w:sectPr>'
    )

    lines = lines_of(write_docx(tmp_path / "d", body, parts=parts))

    assert lines == ["on top", "text[1]", "below", "[1] a note", "Comment by Ada: why?"]


def test_page_breaks_begin_pages_and_one_break_marked_twice_is_one(tmp_path: Path) -> None:
    body = (
        paragraph("one")
        + '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
        + f"<w:p>{_run('<w:lastRenderedPageBreak/><w:t>two</w:t>')}</w:p>"
        + paragraph("three", "<w:pageBreakBefore/>")
    )

    assert [page.text for page in pages_of(write_docx(tmp_path / "d", body))] == ["one", "two", "three"]


def test_the_strict_edition_is_read_too(tmp_path: Path) -> None:
    source = write_docx(tmp_path / "d", paragraph("strict"), strict=True)

    assert text_of(source) == "strict"


def test_properties_and_embedded_documents_are_given(tmp_path: Path) -> None:
    core = "<c xmlns:dc='d'><dc:title>Offer</dc:title><dc:creator>Ada</dc:creator></c>"
    parts: dict[str, str | bytes] = {"docProps/core.xml": core, "word/embeddings/inner.pdf": b"%PDF-1.4"}

    reading = reading_of(write_docx(tmp_path / "d", paragraph("x"), parts=parts))

    assert (reading.info.title, reading.info.author) == ("Offer", "Ada")
    assert [entry.name for entry in reading.info.attachments] == ["inner.pdf"]
    assert [(found.name, found.content) for found in reading.attachments] == [("inner.pdf", b"%PDF-1.4")]
