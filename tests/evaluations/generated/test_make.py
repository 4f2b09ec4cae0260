import re
from functools import cache
from typing import Any

import pypdfium2
import pytest
from evaluations.generated.make import Made, documents, kinds, load_kind
from evaluations.generated.truth import asked

from docsieve.domain.schemas.ready import READY

KINDS = kinds()
AMERICAN = {"w2", "form1099", "exhibit", "agent"}


@cache
def made(kind: str, *, kept: bool) -> list[Made]:
    """Before scanning, so that the text can be read back without OCR."""
    return documents(kind, kept=kept, scan=False)


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


def text_of(document: Made) -> str:
    return "\n".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(document.content))


def leaves(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [leaf for each in value.values() for leaf in leaves(each)]
    if isinstance(value, list):
        return [leaf for each in value for leaf in leaves(each)]
    return [value]


def is_absent(value: Any) -> bool:
    return all(leaf is None for leaf in leaves(value))


def stated(facts: Any) -> list[Any]:
    """The facts whose truth differs from the print, such as a kind of card."""
    if isinstance(facts, dict):
        return [facts] if "truth" in facts else [each for value in facts.values() for each in stated(value)]
    return [each for value in facts for each in stated(value)] if isinstance(facts, list) else []


@pytest.mark.parametrize("kind", KINDS)
def test_every_true_value_is_printed_on_a_page(kind: str) -> None:
    for document in [*made(kind, kept=False), *made(kind, kept=True)]:
        page = squeezed(text_of(document))
        for ways in document.printed:
            assert any(squeezed(way) in page for way in ways.split("\n")), (document.name, ways)


def at(value: Any, path: str) -> Any:
    for step in re.findall(r"[^.\[\]]+", path):
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value


def text_in(document: Made, places: list[dict[str, Any]]) -> str:
    """The text printed in the boxes, whose edges may touch other letters."""
    pdf = pypdfium2.PdfDocument(document.content)
    found = ""
    for place in places:
        page, (x0, y0, x1, y1) = pdf[place["page"] - 1], place["box"]
        height = page.get_height()
        found += page.get_textpage().get_text_bounded(left=x0, bottom=height - y1, right=x1, top=height - y0)
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_the_box_of_a_value_holds_it_and_scans_have_none(kind: str) -> None:
    boxed = 0
    for document in made(kind, kept=False):
        assert not (document.is_scan and document.boxes)
        for path, places in document.boxes.items():
            value, shown = at(document.truth, path), squeezed(text_in(document, places))
            assert shown
            if isinstance(value, str) and squeezed(value) in squeezed(text_of(document)):
                boxed += squeezed(value) in shown
                assert squeezed(value) in shown or shown in squeezed(value)
    assert boxed or all(document.is_scan for document in made(kind, kept=False))


@pytest.mark.parametrize("kind", KINDS)
def test_texts_of_the_truth_are_written_as_printed(kind: str) -> None:
    implied = set(leaves([entry["truth"] for entry in stated(load_kind(kind)["facts"])]))
    for document in made(kind, kept=False):
        page = squeezed(text_of(document))
        texts = [leaf for leaf in leaves(document.truth) if isinstance(leaf, str)]
        for text in texts:
            is_day = re.fullmatch(r"\d{4}-\d\d-\d\d", text)
            assert is_day or text in implied or squeezed(text) in page, (document.name, text)


@pytest.mark.parametrize("kind", KINDS)
def test_a_set_is_the_same_each_time(kind: str) -> None:
    again = documents(kind, kept=True, scan=False)
    assert [(each.content, each.truth) for each in again] == [
        (each.content, each.truth) for each in made(kind, kept=True)
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_has_thirty_documents_in_three_languages_and_some_scans(kind: str) -> None:
    spoken = {*load_kind(kind)["languages"]}
    assert kind in AMERICAN or len(spoken) >= 3
    tuned, kept = made(kind, kept=False), made(kind, kept=True)
    assert len(tuned) >= 20
    assert len(kept) * 3 >= len(tuned) + len(kept)
    assert spoken <= {each.name[-2:] for each in tuned}
    assert spoken <= {each.name[-2:] for each in kept}
    assert any(each.is_scan for each in tuned)
    assert any(each.is_scan for each in kept)


@pytest.mark.parametrize("kind", KINDS)
def test_every_property_has_a_value_in_some_documents_and_none_in_others(kind: str) -> None:
    documents = [*made(kind, kept=False), *made(kind, kept=True)]
    names = asked(load_kind(kind)).schema["properties"]
    never = [name for name in names if all(is_absent(each.truth.get(name)) for each in documents)]
    # A built-in schema also asks for what few documents of its kind have.
    assert len(never) <= (0 if "schema" in load_kind(kind) else len(names) / 4), never
    assert any(leaf is None for each in documents for leaf in leaves(each.truth)), "no field is ever absent"


@pytest.mark.parametrize("kind", [kind for kind in KINDS if "ready" in load_kind(kind)])
def test_the_truth_of_a_built_in_schema_answers_most_of_what_is_judged(kind: str) -> None:
    truths = [each.ready_truth for each in made(kind, kept=True)]
    answered = {name for truth in truths for name, value in truth.items() if not is_absent(value)}
    assert len(answered) >= len(truths[0]) / 3, answered


def test_every_built_in_schema_is_measured_on_documents_kept_out_of_tuning() -> None:
    assert {load_kind(kind)["ready"]["schema"] for kind in KINDS if "ready" in load_kind(kind)} == {*READY}


@pytest.mark.parametrize("kind", KINDS)
def test_kept_documents_have_wordings_and_layouts_that_tuned_ones_never_show(kind: str) -> None:
    content = load_kind(kind)
    assert sum(layout.get("kept", False) for layout in content["layout"]) >= 1
    tuned = " ".join(squeezed(text_of(each)) for each in made(kind, kept=False))
    kept = " ".join(squeezed(text_of(each)) for each in made(kind, kept=True))
    entries = [entry for table in ("texts", "labels") for entry in content.get(table, {}).values()]
    choices = [words for entry in entries for words in (entry.values() if isinstance(entry, dict) else [entry])]
    lists = [words for words in choices if isinstance(words, list) and len(words) > 1]
    own = {longest_part(words[-1]) for words in lists}
    shared = squeezed(" ".join(word for words in lists for word in words[:-1]))
    only_kept = {part for part in own if len(part) > 12 and part not in shared}
    assert not [part for part in only_kept if part in tuned]
    assert [part for part in only_kept if part in kept]


def longest_part(wording: str) -> str:
    """The print between two facts, without spaces."""
    return max((squeezed(part) for part in re.split(r"\{[\w.]+\}| \| ", wording)), key=len)
