"""Labels of values."""

from docsieve.engines.local.fields.evidence import clues
from docsieve.engines.local.fields.spans import spans_of
from docsieve.engines.local.page.view import view
from tests.engines.local.drawing import line, material, page


def test_a_code_before_a_value_is_not_a_word_of_its_label() -> None:
    seen = view(
        material(page([line(40, 100, "Rechnung Nr. RK210-12"), line(260, 100, "vom"), line(300, 100, "2018-09-16")]))
    )
    (date,) = spans_of(seen).of("date")

    assert ("invoice", "number", "from") in {clue.words for clue in clues(date, seen.pages[0])}
