"""Counts words that plain American English avoids, in code, comments and docs: `python -m deploy.words`.

`words.toml` lists them with replacements. The check fails when the number of listed words per 10,000 exceeds the bound
in that file, and then prints the files with the most of them. `python -m deploy.words PATH...` prints every match.
"""

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

_ROOT = Path(__file__).parents[1]
_WORD = re.compile(r"[A-Za-z]+(?:'[a-z]+)?")
# A phrase may continue on the next line, after a comment marker.
_LINE_BREAK = re.compile(r"[ \t]*\n[ \t]*(?:#|//|\*|--|>)?[ \t]*")
_PER = 10_000
_SHOWN_FILES = 10


@dataclass(frozen=True, slots=True)
class Rules:
    """`words` are searched in normalized text, `names` in the text as written. Both map to a replacement."""

    bound: float
    roots: list[str]
    suffixes: list[str]
    generated: list[str]
    words: dict[str, str]
    names: dict[str, str]

    @classmethod
    def read(cls, path: Path) -> "Rules":
        return cls(**tomllib.loads(path.read_text()))


RULES = Rules.read(Path(__file__).with_suffix(".toml"))


@dataclass(frozen=True, slots=True)
class Hit:
    line: int
    text: str
    replacement: str


@dataclass(frozen=True, slots=True)
class Count:
    path: str
    words: int
    hits: list[Hit]

    @property
    def rate(self) -> float:
        return _rate(len(self.hits), self.words)


def main(paths: list[str]) -> int:
    if paths:
        for count in count_files(RULES, _ROOT, paths):
            for hit in count.hits:
                print(f"{count.path}:{hit.line}: {hit.text!r}: {hit.replacement}")
        return 0
    counts = list(count_files(RULES, _ROOT, RULES.roots))
    print(*report(RULES, counts), sep="\n")
    return 1 if total_rate(counts) > RULES.bound else 0


def report(rules: Rules, counts: list[Count]) -> Iterator[str]:
    """The rate of all files and of each root, then the files with the most listed words."""
    found = total_rate(counts)
    yield f"Words: {found:.1f} listed words per {_PER:,}, at most {rules.bound:.1f} allowed"
    for root in rules.roots:
        inside = [count for count in counts if Path(count.path).is_relative_to(root)]
        yield f"  {total_rate(inside):6.1f}  {root}"
    if found > rules.bound:
        worst = sorted(counts, key=lambda count: len(count.hits), reverse=True)[:_SHOWN_FILES]
        yield from (f"  {len(count.hits):4} in {count.path}" for count in worst)
        yield "`python -m deploy.words PATH...` prints each match."


def count_files(rules: Rules, folder: Path, paths: Iterable[str]) -> Iterator[Count]:
    for path in paths:
        start = folder / path
        for file in sorted(start.rglob("*")) if start.is_dir() else [start]:
            name = file.relative_to(folder).as_posix()
            installed = "node_modules" in file.parts
            if file.suffix in rules.suffixes and name not in rules.generated and not installed:
                text = file.read_text()
                yield Count(name, len(_WORD.findall(text.replace("_", " "))), list(find(rules, text)))


def find(rules: Rules, text: str) -> Iterator[Hit]:
    """Every listed word in a text, with its line."""
    # Every replacement keeps the length, so that offsets are the same in both texts.
    flat = _LINE_BREAK.sub(lambda match: " " * len(match[0]), text).replace("_", " ").lower()
    for patterns, searched in ((rules.words, flat), (rules.names, text)):
        for pattern, replacement in patterns.items():
            for match in re.finditer(pattern.replace(" ", r"\s+"), searched):
                yield Hit(text.count("\n", 0, match.start()) + 1, " ".join(match[0].split()), replacement)


def total_rate(counts: Iterable[Count]) -> float:
    known = list(counts)
    return _rate(sum(len(count.hits) for count in known), sum(count.words for count in known))


def _rate(hits: int, words: int) -> float:
    return hits / words * _PER if words else 0.0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
