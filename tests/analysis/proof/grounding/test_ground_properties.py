"""Text on a page is always found there, and evidence always matches its value."""

from hypothesis import given, settings
from hypothesis import strategies as st

from docsieve.analysis.proof.grounding.ground import ground
from docsieve.analysis.proof.grounding.words import runs_of
from docsieve.domain.extraction import Found
from tests.analysis.proof.samples import document, object_of, page_of

WORDS = st.text("abcdeé", min_size=2, max_size=7) | st.integers(0, 99_999).map(str)
LINES = st.lists(st.lists(WORDS, min_size=1, max_size=6).map(" ".join), min_size=1, max_size=12)


def compact(text: str) -> str:
    return "".join(runs_of(text))


@given(LINES, st.data())
@settings(max_examples=150)
def test_a_piece_of_a_line_is_found_with_its_own_words(lines: list[str], data: st.DataObject) -> None:
    words = data.draw(st.sampled_from(lines)).split()
    first = data.draw(st.integers(0, len(words) - 1))
    value = " ".join(words[first : data.draw(st.integers(first + 1, len(words)))])
    grounding = ground([document(page_of(lines))], object_of(x="string"), {"x": Found(value)})["x"]
    assert compact(" ".join(each.text for each in grounding.evidence)) == compact(value)


@given(st.lists(WORDS, min_size=1, max_size=12), st.integers(0, 99_999))
def test_a_number_is_grounded_only_by_a_place_that_says_it(words: list[str], value: int) -> None:
    grounding = ground([document(page_of(words))], object_of(x="integer"), {"x": Found(value)})["x"]
    assert bool(grounding.evidence) == (value in {int(word) for word in words if word.isdigit()})
    for evidence in grounding.evidence:
        assert int(evidence.text) == value


@given(LINES, st.text("abcde 0123", min_size=1, max_size=25))
def test_evidence_for_any_text_has_nearly_its_letters_and_all_its_digits(lines: list[str], value: str) -> None:
    grounding = ground([document(page_of(lines))], object_of(x="string"), {"x": Found(value)})["x"]
    if grounding.evidence:
        said = compact(" ".join(each.text for each in grounding.evidence))
        wanted = compact(value)
        assert "".join(filter(str.isdigit, wanted)) in "".join(filter(str.isdigit, said))
        assert len(set(wanted) - set(said)) <= max(1, len(wanted) * 0.2)
        assert all(each.box[0] < each.box[2] and each.box[1] < each.box[3] for each in grounding.evidence)
