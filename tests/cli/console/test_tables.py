"""What strangers wrote, and confidence, as commands print them."""

import pytest

from docsieve.cli.console.tables import cell, share


@pytest.mark.parametrize("sign", ["\u061c", "\u200e", "\u200f", "\u202a", "\u202e", "\u2066", "\u2069"])
def test_what_turns_the_direction_of_text_is_written_out(sign: str) -> None:
    assert cell(f"invoice{sign}fdp.exe").plain == f"invoice[U+{ord(sign):04X}]fdp.exe"


def test_other_names_stay_as_they_are() -> None:
    assert cell("חשבונית 12 – Rechnung.pdf").plain == "חשבונית 12 – Rechnung.pdf"


@pytest.mark.parametrize(("confidence", "shown"), [(0.6999, "0.69"), (0.7, "0.70"), (0.29, "0.29"), (1.0, "1.00")])
def test_a_confidence_below_a_threshold_never_looks_as_if_it_reached_it(confidence: float, shown: str) -> None:
    assert share(confidence) == shown
