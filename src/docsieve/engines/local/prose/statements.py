"""Yes and no in sentences: `A quorum was present` and `No deposit is required`."""

import re
from collections.abc import Iterator

from docsieve.engines.local.fields.candidates import Candidate, Scene, identities
from docsieve.engines.local.page.columns import ends_as_label
from docsieve.engines.local.page.view import spot
from docsieve.engines.local.prose.text import RunningText
from docsieve.engines.local.vocabulary.canon import canonical
from docsieve.engines.local.vocabulary.kinship import same_word
from docsieve.engines.local.vocabulary.lexicon import GENERIC
from docsieve.engines.local.vocabulary.targets import Target

_WORTH = 0.7
_NOTED = 0.6
_MAX_OTHERS = 1
_MIN_SHARE = 0.5
_MAX_FOUND = 6
_NOT = re.compile(
    r"\b(?:not|no|never|nor|neither|without|cannot|kein\w*|nicht|ohne|nie|ne|pas|aucune?|sans|jamais|sin|ning[uú]n\w*|nunca"
    r"|não|nem|nenhum\w*|sem|non|senza|nessun\w*|geen|niet|zonder)\b|\bn['’]|n['’]t\b",
    re.I,
)
_WORD = re.compile(r"[^\W\d_]{3,}")


def notes(target: Target, scene: Scene) -> Iterator[Candidate]:
    """Short lines that have all words of the field and little else: `RoHS compliant`."""
    asked = [word for word in target.words if word not in GENERIC and len(word) > 2]
    for piece in scene.view.pieces if asked else ():
        words = list(dict.fromkeys(name for token in piece.tokens for name in token.names))
        if len(words) > len(asked) + _MAX_OTHERS or ends_as_label(piece):
            continue
        if all(any(same_word(word, other) for other in words) for word in asked):
            said = "no" if _NOT.search(piece.head) else "yes"
            why = f"a line about '{' '.join(asked)[:40]}' on page {piece.page}"
            places = [spot(piece.tokens, piece)]
            yield Candidate(target, said, places, _NOTED, why, "sentence", identities(piece.tokens), match=_NOTED)
            return


def statements(target: Target, running: RunningText) -> Iterator[Candidate]:
    asked = [word for word in target.words if word not in GENERIC and len(word) > 2]
    found = 0
    for sentence in running.sentences if asked else ():
        words = {name for word in _WORD.findall(sentence.text) for name in canonical(word)}
        met = [max((same_word(word, other) for other in words), default=0.0) for word in asked]
        share = sum(met) / len(asked)
        if share < _MIN_SHARE or met[0] == 0.0:
            continue
        said = "no" if _NOT.search(sentence.text) else "yes"
        tokens = [token for token, _ in running.words(sentence.start, sentence.end)]
        page = running.page_of(sentence.start)
        why = f"a sentence about '{' '.join(asked)[:40]}' on page {page}"
        spots = running.spots(sentence.start, sentence.end)
        yield Candidate(target, said, spots, share * _WORTH, why, "sentence", identities(tokens), match=share)
        found += 1
        if found == _MAX_FOUND:
            return
