"""Approximate substring search, for differences caused by OCR or by a model that corrects it."""

from docsieve.analysis.proof.grounding.words import PAGE_END

_SLIPS = str.maketrans("oqdilszbg", "000115286")
_MAX_STARTS = 16


def near_matches(pattern: str, text: str, *, most_errors: int) -> list[tuple[int, int, int]]:
    """Matches (start, end, errors) of `pattern` in `text` with a limited number of changed letters.

    With k errors, one of k + 1 pieces of the pattern must occur unchanged. Those are searched first, and letters are
    compared only around them.
    """
    size = len(pattern) // (most_errors + 1)
    if size < 3:
        return []
    found: dict[int, tuple[int, int, int]] = {}
    tried: set[int] = set()
    for piece in range(most_errors + 1):
        shift = piece * size
        place = text.find(pattern[shift : shift + size])
        while place >= 0 and len(tried) < _MAX_STARTS:
            if place - shift not in tried:
                tried.add(place - shift)
                begin = max(place - shift - most_errors, 0)
                window = text[begin : place - shift + len(pattern) + most_errors]
                match = _best_inside(pattern, window.replace(PAGE_END, "\0"), most_errors)
                if match is not None:
                    start, end, errors = match
                    found.setdefault(begin + start, (begin + start, begin + end, errors))
            place = text.find(pattern[shift : shift + size], place + 1)
    return sorted(found.values(), key=lambda each: each[2])


def same_digits(one: str, other: str) -> bool:
    """Whether both have the same digits in the same order, where letters may count as the digits they look like.

    A misspelled name may still match, but a number with a different digit is a different number.
    """
    mine, yours = _digits(one), _digits(other)
    return mine == yours or _digits(one.translate(_SLIPS)) == _digits(other.translate(_SLIPS))


def _digits(text: str) -> str:
    return "".join(each for each in text if each.isdigit())


def _best_inside(pattern: str, text: str, most_errors: int) -> tuple[int, int, int] | None:
    end, errors = _best_end(pattern, text)
    if errors > most_errors:
        return None
    back, _ = _best_end(pattern[::-1], text[:end][::-1], anchored=1)
    return end - back, end, errors


def _best_end(pattern: str, text: str, *, anchored: int = 0) -> tuple[int, int]:
    """The end of the best approximate occurrence of `pattern` in `text`, and its edit distance.

    It may start anywhere, or only at the start of the text if `anchored` is 1.

    Uses Myers' bit-parallel algorithm: a column of the distance matrix is a pair of integers, so each letter of the
    text takes a few operations, whatever the length of the pattern.
    """
    length = len(pattern)
    peq: dict[str, int] = {}
    for place, letter in enumerate(pattern):
        peq[letter] = peq.get(letter, 0) | 1 << place
    mask, top = (1 << length) - 1, 1 << (length - 1)
    positive, negative, score = mask, 0, length
    best, best_end = length, 0
    for place, letter in enumerate(text):
        equal = peq.get(letter, 0)
        diagonal = (((equal & positive) + positive) ^ positive) | equal | negative
        up = negative | ~(diagonal | positive)
        down = positive & diagonal
        score += 1 if up & top else -1 if down & top else 0
        up, down = up << 1 | anchored, down << 1
        positive = (down | ~(diagonal | up)) & mask
        negative = up & diagonal & mask
        if score < best:
            best, best_end = score, place + 1
    return best_end, best
