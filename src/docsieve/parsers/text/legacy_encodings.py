"""Detects legacy encodings from the letters that a text would then consist of.

Almost any bytes can be decoded by several of them. Each guess is an encoding with the alphabet of a language that was
written in it; the guess under which the text is made of that alphabet, in its usual order of frequency, wins.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

_WESTERN = ("cp1252", "iso8859_15", "mac_roman", "cp850", "cp437")
_CENTRAL = ("cp1250", "iso8859_2", "cp852")
_CYRILLIC = ("cp1251", "koi8_r", "cp866", "iso8859_5", "mac_cyrillic")

# The letters of each alphabet outside ASCII. The order of languages decides between equals.
_LATIN: tuple[tuple[tuple[str, ...], str], ...] = (
    (_WESTERN, "äöüß"),
    (_WESTERN, "éèàêçâîôùûëïœæ"),
    (_WESTERN, "áéíóñúü¿¡ºª"),
    (_WESTERN, "ãçáéõíóêàúâô"),
    (_WESTERN, "àèéìòù"),
    (_WESTERN, "åäöéæø"),
    (_WESTERN, "éëïóöüèê"),
    (_CENTRAL, "áíéěýřčžšůúťďňó"),
    (_CENTRAL, "áíéčýžšúľťňďôäóŕĺ"),
    (_CENTRAL, "łąężćśóńź"),
    (_CENTRAL, "áéíóöőúüű"),
    (_CENTRAL, "čšžćđ"),
    (("cp1250", "iso8859_2", "iso8859_16"), "ăâîşţșț"),
    (("cp1254",), "ıüşğçöİ"),
    (("cp1252",), "áéíóúýþæöð"),
    (("cp1257", "iso8859_13"), "āčēģīķļņšūž"),
    (("cp1257", "iso8859_13"), "ąčęėįšųūž"),
    (("cp1257", "iso8859_13"), "äöõüšž"),
)
_OTHER: tuple[tuple[tuple[str, ...], str], ...] = (
    (_CYRILLIC, "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё"),
    (("cp1251", "koi8_u", "cp1125"), "оаинвіетрсклудмпзяьбгчйхцїжюєшщфґ"),
    (("cp1253", "iso8859_7"), "αοιετσνηυρπκμλςγδωχθφβξζψάέήίόύώϊϋ"),
    (("cp1255",), "יוהלארמתבשנעםדקפחטצגסכזןךץףְִֵֶַָֹּ"),
    (("cp1256", "iso8859_6"), "اليمنرتوبةعدسفهكقحجأشطصخإذئضىزءثغؤظآ،"),
    (("cp874",), "านรอกเงมยลวดทสตะปบคหแจพชขใไโผซธศณถฉิี่้ัุูื์ำๆ"),
)
_COMMON_CHINESE = set(
    "的一是不了在人有我他这這个個们們中来來上大为為和国國地到以说說时時要就出会會可也你对對生能而子那得于於着下自之年过過发發后後作里用道行所然家种種"
    "事成方多经經么法学學如都同现現当當没沒动動面起看定天分还還进進好小部其些主样樣理心她本前开開但因只从從想实實金额額公司合同日期电電话話号號单單"
    "价價税稅总總计計数數量票务務市区區路有限"
)
_COMMON_KOREAN = set(
    "이다는의에을하고가를은지로한사서도기인자어리대해시나일정아라부그수스들으과제전주만국상여원있할것게입니습금보위장구"
)
_COMMON_JAPANESE = set(
    "、。「」・ー々〇株式会社東京都請求書御中田商事合計金額円日月年様電話番号消費税国人大本時分会出前見行生発新業市区支払振込銀店"
)
_PUNCTUATION = set("“”‘’„–—…«»·•°€£©®™²³½¼¾±µ¹÷¢¥¶\xa0×´‚›‹†‰№，。、；：？！（）「」《》【】　")
_DOUBLE_BYTE: tuple[tuple[str, str], ...] = (
    ("gb18030", "chinese"),
    ("big5", "chinese"),
    ("cp932", "japanese"),
    ("euc_jp", "japanese"),
    ("cp949", "korean"),
)
_FIRST_LEVEL = {
    "gb18030": (0xB0, 0xD7),
    "big5": (0xA4, 0xC6),
    "cp932": (0x88, 0x97),
    "euc_jp": (0xB0, 0xCF),
    "cp949": (0xB0, 0xC8),
}
_PLAUSIBLE = 0.55
_GLANCE = 200
_LIKELY = 8
_MIXED_CASE = re.compile(r"[^\W\d_A-Za-z]+")
_ASCII_LETTER = re.compile("[A-Za-z]")


def best_legacy(sample: bytes) -> str:
    return _best(sample, list(_guesses()))[1] or _fallback(sample)


def best_of(sample: bytes, encodings: Sequence[str]) -> str:
    """Return the best of these; the first one without evidence."""
    return _best(sample, [guess for guess in _guesses() if guess.encoding in encodings])[1] or encodings[0]


def plausible_legacy(sample: bytes) -> bool:
    return _best(sample, list(_guesses()))[0] >= _PLAUSIBLE


@dataclass(frozen=True, slots=True)
class _Guess:
    """`handicap` is for the rarer of several encodings of a language: between near equals the first is right."""

    encoding: str
    score: Callable[[str], float]
    handicap: float = 0.0

    def rate(self, decoded: dict[str, str | None]) -> float:
        text = decoded[self.encoding]
        return 0.0 if text is None else self.score(text) - self.handicap


def _guesses() -> Iterator[_Guess]:
    for languages, score in ((_LATIN, _latin_score), (_OTHER, _alphabet_score)):
        for encodings, alphabet in languages:
            for rank, encoding in enumerate(encodings):
                yield _Guess(encoding, partial(score, alphabet=alphabet), rank * 0.02)
    for encoding, language in _DOUBLE_BYTE:
        yield _Guess(encoding, partial(_double_byte_score, encoding=encoding, language=language))


def _best(sample: bytes, guesses: list[_Guess]) -> tuple[float, str | None]:
    """Score the beginning first, and only the likely ones in full."""
    if len(sample) > 2 * _GLANCE:
        guesses = sorted(guesses, key=_rated(guesses, sample[:_GLANCE]), reverse=True)[:_LIKELY]
    rated = _rated(guesses, sample)
    best = max(guesses, key=rated)
    value = rated(best)
    return (value, best.encoding) if value > 0 else (0.0, None)


def _fallback(sample: bytes) -> str:
    return "cp1252" if _decode(sample, "cp1252") is not None else "latin-1"


def _rated(guesses: list[_Guess], sample: bytes) -> Callable[[_Guess], float]:
    decoded = {guess.encoding: _decode(sample, guess.encoding) for guess in guesses}
    return lambda guess: guess.rate(decoded)


def _decode(sample: bytes, encoding: str) -> str | None:
    # The sample may end inside a character, so its last bytes may be missing.
    for end in (len(sample), len(sample) - 1, len(sample) - 2, len(sample) - 3):
        try:
            return sample[:end].decode(encoding)
        except UnicodeDecodeError as error:
            if error.start < len(sample) - 4:
                break
    # Texts use the few undefined bytes anyway.
    return sample.decode(encoding, "replace") if encoding == "cp1252" else None


def _latin_score(text: str, alphabet: str) -> float:
    """Letters of the alphabet count in favor; characters that break words as no language would count against."""
    known = set(alphabet + alphabet.upper())
    total = counted = 0.0
    for place, character in enumerate(text):
        if character < "\x80":
            continue
        total += 1
        before = text[place - 1] if place else " "
        after = text[place + 1 : place + 2]
        if character in known:
            alone = not before.isalpha() and not after.isalpha()
            counted += -0.5 if character.isupper() and before.islower() else 0.7 if alone else 1.0
        elif character in _PUNCTUATION:
            counted += 0.9 if not (before.isalpha() and after.isalpha()) or character in "’·" else -0.5
        elif character.isalpha():
            counted += 0.1
        else:
            counted -= 0.3
    runs = sum(len(run.group()) - 2 for run in _MIXED_CASE.finditer(text) if len(run.group()) > 2)
    return (counted - runs) / total if total else 0.0


def _alphabet_score(text: str, alphabet: str) -> float:
    """For non-Latin scripts, a common letter counts more than a rare one, and is never inside a Latin word."""
    weights = {letter: 1.0 if rank < 12 else 0.75 if rank < 24 else 0.45 for rank, letter in enumerate(alphabet)}
    total = counted = 0.0
    for place, character in enumerate(text):
        if character < "\x80":
            continue
        total += 1
        before = text[place - 1] if place else " "
        if (weight := weights.get(character.lower())) is not None:
            after = text[place + 1 : place + 2]
            wrong = (character.isupper() and before.islower()) or _ASCII_LETTER.match(before) is not None
            alone = not before.isalpha() and not (after.isalpha() and after >= "\x80")
            counted += -0.5 if wrong else 0.3 if alone else weight
        elif character in _PUNCTUATION:
            counted += 0.5
        elif not character.isalpha():
            counted -= 0.3
    return 1.15 * counted / total if total else 0.0


def _double_byte_score(text: str, encoding: str, language: str) -> float:
    low, high = _FIRST_LEVEL[encoding]
    total = counted = 0.0
    for character in text:
        if character < "\x80":
            continue
        total += 1
        kana = "぀" <= character <= "ヿ"
        if language == "japanese" and (kana or character in _COMMON_JAPANESE):
            counted += 1.0
        elif character in (_COMMON_CHINESE if language == "chinese" else _COMMON_KOREAN) and language != "japanese":
            counted += 1.2
        elif character in _PUNCTUATION:
            counted += 0.7
        elif low <= character.encode(encoding)[0] <= high and not kana:
            counted += 0.65
    return counted / total if total else 0.0
