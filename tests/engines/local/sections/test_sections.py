"""Lists under a heading, without a row of column headings."""

import time
from typing import Any

from docsieve.domain.pages.page import Page
from docsieve.domain.schemas.fields import Schema
from docsieve.domain.schemas.shape import shaped
from docsieve.engines.local.engine import LocalFields
from tests.engines.local.drawing import line, material, page, written


def rows(*names: str, **more: Schema) -> Schema:
    properties: dict[str, Schema] = {name: {"type": "string"} for name in names}
    return {"type": "array", "items": {"type": "object", "properties": properties | more}}


def value(schema: dict[str, Schema], *pages: Page) -> Any:
    whole: Schema = {"type": "object", "properties": schema}
    found = LocalFields().propose(material(*pages), whole, lessons=None).found
    return shaped(whole, {path: each.value for path, each in found.items()})


JOBS = rows("title", "company", "start_date", "end_date", "description")


def test_a_position_begins_as_many_lines_above_its_dates_as_the_first_one_does() -> None:
    found = value(
        {"experience": JOBS},
        written(
            "WORK EXPERIENCE\nBridge Engineer, Cobalt Works Inc.\nMarch 2019 – present\n"
            "• Built two bridges and a pier.\n"
            "Draftsman, Tern Ltd\n06/2014 to 02/2019\n• Drew plans\n• Checked those of others\nEDUCATION\nBA, 2013"
        ),
    )

    assert found["experience"] == [
        {
            "title": "Bridge Engineer",
            "company": "Cobalt Works Inc.",
            "start_date": "March 2019",
            "end_date": "present",
            "description": "Built two bridges and a pier.",
        },
        {
            "title": "Draftsman",
            "company": "Tern Ltd",
            "start_date": "06/2014",
            "end_date": "02/2019",
            "description": "Drew plans Checked those of others",
        },
    ]


def test_title_and_employer_are_told_apart_by_their_words_in_any_order() -> None:
    found = value(
        {"jobs": rows("employer", "position")},
        written("Beruflicher Werdegang\nKestrel Bau GmbH (2012 – 2018)\nBauleiterin\nTern AG (2010 – 2012)\nMonteur"),
    )

    assert found["jobs"] == [
        {"employer": "Kestrel Bau GmbH", "position": "Bauleiterin"},
        {"employer": "Tern AG", "position": "Monteur"},
    ]


def test_a_degree_keeps_its_subject_and_is_not_the_school() -> None:
    found = value(
        {"education": rows("institution", "degree", "end_date")},
        written("Education\nBS – Marine Biology, Alder College, June 2009\nMBA | University of Wick | 2012"),
    )

    assert found["education"] == [
        {"institution": "Alder College", "degree": "BS – Marine Biology", "end_date": "June 2009"},
        {"institution": "University of Wick", "degree": "MBA", "end_date": "2012"},
    ]


def test_a_list_in_one_column_does_not_take_lines_of_the_next() -> None:
    left = ["Skills", "Weaving", "Dyeing"]
    right = ["Experience", "Weaver, Loom Ltd", "2011 – 2015"]
    texts = [line(40, 60 + 14 * at, text) for at, text in enumerate(left)]
    texts += [line(240, 60 + 14 * at, text) for at, text in enumerate(right)]
    found = value({"skills": {"type": "array", "items": {"type": "string"}}, "experience": JOBS}, page(texts))

    assert found["skills"] == ["Weaving", "Dyeing"]
    assert [each["title"] for each in found["experience"]] == ["Weaver"]


def test_languages_on_one_line_are_entries_with_their_levels() -> None:
    found = value({"languages": rows("language", "level")}, written("Sprachen\nFinnisch (B2), Englisch (fließend)"))

    assert found["languages"] == [
        {"language": "Finnisch", "level": "B2"},
        {"language": "Englisch", "level": "fließend"},
    ]


def test_medicine_dose_and_frequency_need_no_separator() -> None:
    found = value(
        {"medications": rows("name", "dose", "frequency"), "diagnoses": rows("description", "code")},
        written(
            "Diagnoses\n- Seasonal rhinitis (J30.2)\n- Migraine (G43.9)\n"
            "Medication at discharge\n- Cetirizine 10 mg once daily\n- Sumatriptan 50 mg as needed"
        ),
    )

    assert found["medications"] == [
        {"name": "Cetirizine", "dose": "10 mg", "frequency": "once daily"},
        {"name": "Sumatriptan", "dose": "50 mg", "frequency": "as needed"},
    ]
    assert found["diagnoses"] == [
        {"description": "Seasonal rhinitis", "code": "J30.2"},
        {"description": "Migraine", "code": "G43.9"},
    ]


def test_a_value_found_by_its_place_is_less_certain_than_one_with_telling_words() -> None:
    whole: Schema = {"type": "object", "properties": {"experience": rows("title", "company", "start_date", "end_date")}}
    pages = material(written("Experience\nFalconer, Kestrel Holdings Inc.\n2011 – 2015"))
    found = LocalFields().propose(pages, whole, lessons=None).found

    assert found["experience[0].title"].value == "Falconer"
    assert (found["experience[0].title"].score or 0) < (found["experience[0].company"].score or 0)


def test_the_labels_of_a_list_name_its_section() -> None:
    voyages = rows("craft", "start_date", "end_date") | {"x-labels": ["Professional experience"]}

    found = value({"voyages": voyages}, written("Professional experience\nBeagle\n1961 – 1966"))

    assert found["voyages"] == [{"craft": "Beagle", "start_date": "1961", "end_date": "1966"}]


def test_four_times_as_many_headings_do_not_take_sixteen_times_as_long() -> None:
    def seconds(count: int) -> float:
        texts = [line(x, 20 + at, name) for name, x in (("Skills", 40), ("Education", 300)) for at in range(count)]
        started = time.process_time()
        value({"skills": {"type": "array", "items": {"type": "string"}}, "education": JOBS}, page(texts))
        return time.process_time() - started

    assert seconds(2000) < 10 * seconds(500)
