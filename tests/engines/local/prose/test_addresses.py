"""Postal addresses in sentences."""

import pytest

from tests.engines.local.candidates import TEXT, offered
from tests.engines.local.drawing import written


@pytest.mark.parametrize(
    "address",
    [
        "12 Elm Road, Suite 4, Boston, MA 02110",
        "Lindenstraße 7, 50667 Köln",
        "28 bis, avenue Foch, 69002 Lyon",
        "Calle Mayor, 12, 28013 Madrid",
        "Rua Augusta, 24, sala 3, 1200-109 Lisboa",
    ],
)
def test_an_address_in_a_sentence_is_offered_whole_where_one_is_asked_for(address: str) -> None:
    letter = written(f"The rooms that are let to the club are at {address}, and may be seen\nat any time.")
    found = offered(letter, premises=TEXT, weather=TEXT)

    assert address in found["premises"]
    assert address not in found["weather"]
