import numpy as np
import pytest

from docsieve.parsers.ocr.rapid.characters import Character, decode, split_words


def spelled(text: str, *, wider_before: str = "", gap: float = 30.0) -> list[Character]:
    """The characters of a text ten pixels apart, but `gap` before each that `wider_before` names."""
    place, found = 0.0, []
    for character in text:
        place += gap if character in wider_before else 10.0
        found.append(Character(character, place, 0.9))
    return found


def words(line: list[Character]) -> list[str]:
    return ["".join(character.text for character in word) for word in split_words(line)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (spelled("to pay"), ["to", "pay"]),
        (spelled("Totalx", wider_before="x"), ["Total", "x"]),
        (spelled("Co.Reg", wider_before="R", gap=20), ["Co.", "Reg"]),
        (spelled("10.50", wider_before="5", gap=20), ["10.50"]),
        (spelled("Date：1（Sun）9"), ["Date:", "1", "(Sun)", "9"]),
        (spelled("発行：東京（株）"), ["発行：東京（株）"]),
        (spelled("  "), []),
    ],
)
def test_words_are_parted_by_spaces_and_by_gaps_as_wide(line: list[Character], expected: list[str]) -> None:
    assert words(line) == expected


def test_repeated_columns_are_one_character_unless_a_blank_parts_them() -> None:
    best = np.array([0, 1, 1, 0, 1, 2, 0])
    likelihood = np.array([0.9, 0.7, 0.8, 0.9, 0.6, 0.5, 0.9], dtype=np.float32)

    found = decode(best, likelihood, "ab", 8.0)

    assert [(character.text, character.place) for character in found] == [("a", 16.0), ("a", 36.0), ("b", 44.0)]
    assert [character.confidence for character in found] == pytest.approx([0.8, 0.6, 0.5])
