"""Lists of plain words, and lists within lists."""

from typing import Any

from docsieve.domain.pages.page import Page
from docsieve.domain.schemas.fields import Schema
from docsieve.domain.schemas.shape import shaped
from docsieve.engines.local.engine import LocalFields
from tests.engines.local.drawing import line, material, page, written

WORDS: Schema = {"type": "array", "items": {"type": "string"}}


def value(schema: dict[str, Schema], *pages: Page) -> Any:
    whole: Schema = {"type": "object", "properties": schema}
    found = LocalFields().propose(material(*pages), whole, lessons=None).found
    return shaped(whole, {path: each.value for path, each in found.items()})


def test_words_after_a_label_come_apart_at_their_commas() -> None:
    found = value({"languages": WORDS}, written("Ada Lovelace\nLanguages: English (native, UK), French; German"))

    assert found["languages"] == ["English (native, UK)", "French", "German"]


def test_the_bullets_under_a_heading_are_its_items() -> None:
    pages = written("SKILLS\n• Weaving of cloth\n• Engines and\nother machines\n• Poetry\n\n\nHOBBIES\n• Horses")

    assert value({"skills": WORDS}, pages)["skills"] == ["Weaving of cloth", "Engines and other machines", "Poetry"]


def test_short_lines_under_a_heading_are_its_items_and_sentences_are_not() -> None:
    short = written("Parties:\nAda Lovelace\nCharles Babbage")
    prose = written("Parties:\nThis agreement is made between the parties that have signed it on the last page of it.")

    assert value({"parties": WORDS}, short)["parties"] == ["Ada Lovelace", "Charles Babbage"]
    assert value({"parties": WORDS}, prose)["parties"] == []


def test_rows_under_the_same_headings_belong_to_the_entry_above_them() -> None:
    results: Schema = {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {"rank": {"type": "integer"}, "team": {"type": "string"}, "points": {"type": "number"}},
        },
    }
    groups: Schema = {
        "type": "array",
        "items": {"type": "object", "properties": {"age_group": {"type": "string"}, "results": results}},
    }

    def group(age: str, teams: list[tuple[str, str, str]], number: int) -> Page:
        texts = [("Rank", "Team", "Points"), *teams]
        lines = [line(40, 60, f"Age Group :{age}")]
        lines += [
            line(x, 90 + 14 * at, text)
            for at, row in enumerate(texts)
            for x, text in zip((40, 120, 400), row, strict=True)
        ]
        return page([*lines, line(40, 800, "Results of the day"), line(400, 800, "Page 1")], number=number)

    found = value(
        {"age_groups": groups},
        group("95-99", [("1", "RED FISH", "9.5")], 1),
        group("90-94", [("1", "BLUE FISH", "8.5"), ("2", "OLD FISH", "7.0")], 2),
        group("90-94", [("3", "NEW FISH", "6.0")], 3),
    )

    assert [(each["age_group"], [row["team"] for row in each["results"]]) for each in found["age_groups"]] == [
        ("95-99", ["RED FISH"]),
        ("90-94", ["BLUE FISH", "OLD FISH", "NEW FISH"]),
    ]
    assert found["age_groups"][1]["results"][1] == {"rank": 2, "team": "OLD FISH", "points": 7.0}
