"""Embeddings without a network or a model server: averages of the token vectors in the `wordllama` package.

Only its weights and its tokenizer are used; the package's own loader contacts a model hub.
"""

import json
import os
import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from itertools import chain, count, pairwise
from pathlib import Path
from threading import Lock
from typing import Any

import numpy

from docsieve.domain.pages.texts import CountedTexts
from docsieve.embeddings.port import Embedder, Vectors, normalized

NAME = "wordllama-l2-256.1"
DIMENSIONS = 256

_WEIGHTS = "weights/l2_supercat_256.safetensors"
_TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
# Without surrounding punctuation. Text without spaces, such as Chinese or hostile input, is cut by length.
_WORD = re.compile(r"\w{1,32}(?:[-'.]\w{1,32}){0,3}")
_MAX_CHARACTERS = 32_768
_MAX_DISTINCT = _MAX_CHARACTERS // 2
_MAX_CACHED_WORDS = 49_152
_MAX_CACHED_CHARACTERS = 262_144
_WHITENING = 0.5
_loading = Lock()


class LocalEmbedder(Embedder):
    """The weights are loaded once per process, on first use."""

    name = NAME
    dimensions = DIMENSIONS

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        # Not loaded with the module: sandboxed children use it too, and copy all they have loaded at every fork.
        from asyncio import to_thread

        return await to_thread(embed_now, texts)

    async def close(self) -> None:
        """Nothing to close."""


def embed_now(texts: Sequence[str]) -> Vectors:
    """Like `LocalEmbedder.embed`, for code in a sandboxed child. Only the first 32,768 characters of a text count."""
    model = _model()
    sums = numpy.zeros((len(texts), DIMENSIONS), numpy.float32)
    model.sum_up(_pieces_of(texts), sums)
    # Not `@`, here and below: BLAS would start one thread per core, and they keep spinning after such a small product.
    return normalized(numpy.einsum("ij,jk->ik", sums, model.whitening))


def _pieces_of(texts: Sequence[str]) -> Sequence[Counter[str]]:
    if max(map(len, texts), default=0) > _MAX_CHARACTERS:
        texts = [text[:_MAX_CHARACTERS] for text in texts]
    return (texts if isinstance(texts, CountedTexts) else CountedTexts(texts)).pieces


class _Model:
    """Caches the vectors of words: the tokenizer is slow, and most words recur."""

    def __init__(self, folder: Path) -> None:
        # Must be set before the tokenizer is loaded: its threads would outnumber the cores in a pool of children.
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        from tokenizers import Tokenizer

        self._tokenizer = Tokenizer.from_file(str(folder / _TOKENIZER))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._tokens = _read_weights(folder / _WEIGHTS)
        self.whitening = _whitening(self._tokens)
        self._word_rows: dict[str, int] = {}
        self._piece_rows: dict[str, list[int]] = {}
        self._characters = 0
        self._vectors = numpy.empty((_MAX_CACHED_WORDS, DIMENSIONS), numpy.float32)
        self._lock = Lock()

    def sum_up(self, texts: Sequence[Counter[str]], sums: Vectors) -> None:
        """Write the sum of the word vectors of each text, given by its pieces, into its row."""
        with self._lock:
            if self._cache_words(texts):
                self._add_up(texts, sums)
                return
        # Only hostile input has so many new words at once.
        half = len(texts) // 2
        self.sum_up(texts[:half], sums[:half])
        self.sum_up(texts[half:], sums[half:])

    def _cache_words(self, texts: Sequence[Counter[str]]) -> bool:
        """Return whether the cache has room for all their words; there is always room for those of one text."""
        if len(self._word_rows) > _MAX_CACHED_WORDS - _MAX_DISTINCT:
            self._word_rows.clear()
            self._piece_rows.clear()
        if self._characters > _MAX_CACHED_CHARACTERS:
            self._piece_rows.clear()
        if not self._piece_rows:
            self._characters = 0
        pieces = [piece for piece in dict.fromkeys(chain.from_iterable(texts)) if piece not in self._piece_rows]
        words = [_WORD.findall(piece) for piece in pieces]
        new = [word for word in dict.fromkeys(chain.from_iterable(words)) if word not in self._word_rows]
        if len(self._word_rows) + len(new) > _MAX_CACHED_WORDS:
            return False
        self._embed_words(new)
        self._piece_rows.update(
            zip(pieces, [[self._word_rows[word] for word in found] for found in words], strict=True)
        )
        self._characters += sum(map(len, pieces))
        return True

    def _add_up(self, texts: Sequence[Counter[str]], sums: Vectors) -> None:
        found = list(map(self._piece_rows.__getitem__, chain.from_iterable(texts)))
        rows = numpy.fromiter(chain.from_iterable(found), numpy.intp)
        if not len(rows):
            return
        times = numpy.fromiter(chain.from_iterable(each.values() for each in texts), numpy.float32, len(found))
        owners = numpy.arange(len(texts)).repeat([len(each) for each in texts])
        words_of_each = numpy.fromiter(map(len, found), numpy.intp, len(found))
        # Many pieces share a word. Words are added in the order of their rows, which does not depend on the text, so
        # sums of the same words are identical to the last bit.
        keys = (owners * _MAX_CACHED_WORDS).repeat(words_of_each) + rows
        order = keys.argsort()
        keys = keys[order]
        is_first = numpy.ones(len(keys), bool)
        numpy.not_equal(keys[1:], keys[:-1], out=is_first[1:])
        firsts = is_first.nonzero()[0]
        times = numpy.add.reduceat(times.repeat(words_of_each)[order], firsts)
        keys = keys[firsts]
        ends = keys.searchsorted(numpy.arange(1, len(texts) + 1) * _MAX_CACHED_WORDS).tolist()
        rows = keys % _MAX_CACHED_WORDS
        for at, (start, end) in enumerate(pairwise([0, *ends])):
            if start < end:
                sums[at] = numpy.einsum("i,ij->j", times[start:end], self._vectors.take(rows[start:end], axis=0))

    def _embed_words(self, words: Sequence[str]) -> None:
        if not words:
            return
        encoded = [found.ids for found in self._tokenizer.encode_batch_fast(words, add_special_tokens=False)]
        starts = numpy.cumsum([0, *map(len, encoded[:-1])])
        tokens = self._tokens[list(chain.from_iterable(encoded))].astype(numpy.float32)
        first = len(self._word_rows)
        self._vectors[first : first + len(words)] = numpy.add.reduceat(tokens, starts, axis=0)
        self._word_rows.update(zip(words, count(first)))


def _model() -> _Model:
    """Loaded once. A second thread that loaded it too would have its file closed by `_let_go` of the first."""
    with _loading:
        return _loaded()


@cache
def _loaded() -> _Model:
    package = find_spec("wordllama")
    if package is None or package.origin is None:
        raise ModuleNotFoundError("the local embedder needs the package wordllama")
    return _Model(Path(package.origin).parent)


def _read_weights(path: Path) -> numpy.memmap[Any, numpy.dtype[numpy.float16]]:
    """The only tensor of a safetensors file, memory-mapped so that all processes share it."""
    with path.open("rb") as file:
        header_bytes = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(header_bytes))
    rows, columns = header["embedding.weight"]["shape"]
    offset = 8 + header_bytes + header["embedding.weight"]["data_offsets"][0]
    mapped = numpy.memmap(path, numpy.float16, "r", offset, (rows, columns))
    _let_go(path)
    return mapped


def _let_go(path: Path) -> None:
    """Python keeps a file open that is memory-mapped, and a sandboxed child would pass it on to every document."""
    real, nothing = str(path.resolve()), os.open(os.devnull, os.O_RDONLY)
    for number in map(int, os.listdir("/proc/self/fd")):
        with suppress(OSError):  # the listing itself was open too
            if os.readlink(f"/proc/self/fd/{number}") == real:
                os.dup2(nothing, number, inheritable=False)
    os.close(nothing)


def _whitening(tokens: numpy.memmap[Any, numpy.dtype[numpy.float16]]) -> Vectors:
    """Half-way to equal variance in every direction of the vocabulary, so that no direction dominates.

    Measured on SciFact, which was not used to choose it: nDCG@10 is 0.683 with whitening and 0.673 without. Weights by
    token frequency did not help: these vectors were trained to be averaged and are short for uninformative tokens.
    """
    # A sixteenth of the vocabulary gives the same directions without loading all of it into memory.
    vocabulary = tokens[::16].astype(numpy.float32)
    variances, directions = numpy.linalg.eigh(vocabulary.T @ vocabulary / len(vocabulary))
    spread: Vectors = (directions * variances ** (-_WHITENING / 2)) @ directions.T
    return spread.astype(numpy.float32)
