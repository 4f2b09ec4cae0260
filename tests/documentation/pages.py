"""The commands and outputs shown on a page of the documentation."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]

_COMMAND = re.compile(
    r"(?:export )?[A-Z_]+=|(?:\.venv/bin/)?docsieve |(?:curl|printf|make|cd|python3|apt|pg_dump|pg_restore) "
)
_ID = re.compile(r"01a1…")
_ANYTHING = re.compile(r"…")
_DECIMAL = re.compile(r"(?<![\w.-])\d+\.\d+(?![\w.])")


@dataclass(frozen=True)
class Block:
    """A fenced block; `start` is the number of its first line inside the fence, from 0."""

    section: str
    language: str
    start: int
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def is_commands(self) -> bool:
        return self.language == "" and _COMMAND.match(self.text) is not None

    @property
    def is_output(self) -> bool:
        return self.language == "" and not self.is_commands

    def commands(self) -> list[str]:
        """One command per line; a line that ends with a backslash continues on the next."""
        return [line for line in self.text.replace("\\\n", "").splitlines() if line.strip()]


def blocks(page: str) -> Iterator[Block]:
    section, opened, lines = "", None, (ROOT / page).read_text().splitlines()
    for number, line in enumerate(lines):
        if line.startswith("```"):
            if opened is None:
                opened = number
            else:
                yield Block(section, lines[opened][3:], opened + 1, tuple(lines[opened + 1 : number]))
                opened = None
        elif opened is None and line.startswith("#"):
            section = line.lstrip("# ")


def printed(block: Block, *, any_decimals: bool = False) -> re.Pattern[str]:
    """The pattern that an output has to match: `…` matches anything, `01a1…` an id.

    JSON is wrapped for readers; the server sends it on one line. With `any_decimals`, each decimal is a group that
    matches any other decimal.
    """
    is_json = block.text.startswith("{")
    text = "".join(line.strip() for line in block.lines) if is_json else "\n".join(map(str.rstrip, block.lines))
    made = re.escape(text)
    if any_decimals:
        made = _DECIMAL.sub(r"(\\d+\\.\\d+)", made.replace(r"\.", "."))
    made = _ID.sub("[0-9a-f-]{36}", made)
    return re.compile(_ANYTHING.sub(".*?", made), re.DOTALL)


def renew(page: str, block: Block, outputs: Sequence[str]) -> None:
    """Update the decimals of the block from a matching output; a block that differs otherwise is left alone."""
    pattern = printed(block, any_decimals=True)
    found = next((found for output in outputs if (found := pattern.search(output))), None)
    if found is not None:
        fresh = iter(found.groups())
        lines = (ROOT / page).read_text().splitlines()
        end = block.start + len(block.lines)
        lines[block.start : end] = [_DECIMAL.sub(lambda _: next(fresh), line) for line in block.lines]
        (ROOT / page).write_text("\n".join(lines) + "\n")
