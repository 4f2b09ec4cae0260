from pathlib import Path

import pytest

from tests.parsers.office.reading import lines_of
from tests.parsers.office.samples import paragraph, relations, word_part, write_docx


def level(place: int, text: str, number_format: str = "decimal", more: str = "", start: int = 1) -> str:
    return (
        f'<w:lvl w:ilvl="{place}"><w:start w:val="{start}"/><w:numFmt w:val="{number_format}"/>{more}'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
    )


def abstract(*levels: str, number: int = 0) -> str:
    return f'<w:abstractNum w:abstractNumId="{number}">{"".join(levels)}</w:abstractNum>'


def numbered(list_id: int, overrides: str = "", *, number: int = 0) -> str:
    return f'<w:num w:numId="{list_id}"><w:abstractNumId w:val="{number}"/>{overrides}</w:num>'


def item(text: str, list_id: int = 1, place: int = 0) -> str:
    return paragraph(text, f'<w:numPr><w:ilvl w:val="{place}"/><w:numId w:val="{list_id}"/></w:numPr>')


def lines(path: Path, numbering: str, body: str, styles: str = "") -> list[str]:
    parts: dict[str, str | bytes] = {
        "word/_rels/document.xml.rels": relations(
            {"rId1": ("numbering", "numbering.xml"), "rId2": ("styles", "styles.xml")}
        ),
        "word/numbering.xml": word_part(numbering, root="numbering"),
        "word/styles.xml": word_part(styles, root="styles"),
    }
    return lines_of(write_docx(path, body, parts=parts))


@pytest.mark.parametrize(
    ("number_format", "start", "label"),
    [
        ("ordinal", 1, "1st"),
        ("ordinal", 2, "2nd"),
        ("ordinal", 3, "3rd"),
        ("ordinal", 11, "11th"),
        ("ordinal", 21, "21st"),
        ("cardinalText", 4, "Four"),
        ("cardinalText", 42, "Forty-two"),
        ("ordinalText", 1, "First"),
        ("ordinalText", 20, "Twentieth"),
        ("ordinalText", 33, "Thirty-third"),
        ("upperRoman", 9, "IX"),
    ],
)
def test_numbers_are_shown_in_the_format_of_their_level(
    tmp_path: Path, number_format: str, start: int, label: str
) -> None:
    numbering = abstract(level(0, "%1", number_format, start=start)) + numbered(1)

    assert lines(tmp_path / "d", numbering, item("x")) == [f"{label} x"]


def test_a_list_may_replace_levels_of_the_list_that_it_is_based_on(tmp_path: Path) -> None:
    override = f'<w:lvlOverride w:ilvl="0">{level(0, "Article %1:", "upperRoman")}</w:lvlOverride>'
    numbering = abstract(level(0, "%1.")) + numbered(1) + numbered(2, override)

    assert lines(tmp_path / "d", numbering, item("a") + item("b", 2)) == ["1. a", "Article II: b"]


def test_a_level_whose_start_is_overridden_begins_there_each_time(tmp_path: Path) -> None:
    override = (
        '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="4"/></w:lvlOverride>'
        '<w:lvlOverride w:ilvl="1"><w:startOverride w:val="3"/></w:lvlOverride>'
    )
    numbering = abstract(level(0, "%1."), level(1, "%1.%2")) + numbered(1, override)
    body = item("a", place=1) + item("b") + item("c", place=1) + item("d", place=1)

    assert lines(tmp_path / "d", numbering, body) == ["4.3 a", "4. b", "4.3 c", "4.4 d"]


def test_a_legal_level_shows_all_counts_as_decimal_numbers(tmp_path: Path) -> None:
    numbering = abstract(level(0, "%1.", "upperRoman"), level(1, "%1.%2", "lowerLetter", "<w:isLgl/>")) + numbered(1)

    assert lines(tmp_path / "d", numbering, item("a") + item("b", place=1)) == ["I. a", "1.1 b"]


@pytest.mark.parametrize(("restart", "label"), [("", "1)"), ('<w:lvlRestart w:val="0"/>', "2)")])
def test_a_level_may_continue_counting_after_the_levels_above(tmp_path: Path, restart: str, label: str) -> None:
    numbering = abstract(level(0, "%1."), level(1, "%2)", more=restart)) + numbered(1)
    body = item("a") + item("b", place=1) + item("c") + item("d", place=1)

    assert lines(tmp_path / "d", numbering, body) == ["1. a", "1) b", "2. c", f"{label} d"]


def test_a_list_that_links_to_a_numbering_style_has_its_levels(tmp_path: Path) -> None:
    numbering = (
        abstract('<w:styleLink w:val="Steps"/>', level(0, "Step %1:"))
        + abstract('<w:numStyleLink w:val="Steps"/>', number=1)
        + numbered(1)
        + numbered(2, number=1)
    )

    assert lines(tmp_path / "d", numbering, item("a", 2)) == ["Step 1: a"]


def test_a_paragraph_may_change_only_the_level_in_the_list_of_its_style(tmp_path: Path) -> None:
    style = (
        '<w:style w:styleId="L"><w:name w:val="list"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
    )
    numbering = abstract(level(0, "%1."), level(1, "%1.%2")) + numbered(1)
    deeper = paragraph("b", '<w:pStyle w:val="L"/><w:numPr><w:ilvl w:val="1"/></w:numPr>')

    found = lines(tmp_path / "d", numbering, paragraph("a", '<w:pStyle w:val="L"/>') + deeper, style)

    assert found == ["1. a", "1.1 b"]
