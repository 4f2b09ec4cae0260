"""The size of the local engine: its lines, its files and the numbers in it.

A number is a literal in the code other than 0, 1, -1 and 2, outside of subscripts and slices. Files without a line of
code (`__init__.py`) do not count.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ENGINE = Path("src/docsieve/engines/local")
PLAIN = (0, 1, 2)


@dataclass(frozen=True)
class Size:
    lines: int
    files: int
    numbers: int


def size_of(checkout: Path) -> Size:
    sources = [text for path in sorted((checkout / ENGINE).rglob("*.py")) if (text := path.read_text()).strip()]
    numbers = sum(1 for text in sources for _ in numbers_in(ast.parse(text)))
    return Size(sum(len(text.splitlines()) for text in sources), len(sources), numbers)


def numbers_in(node: ast.AST) -> Iterator[float]:
    for child in ast.iter_child_nodes(node):
        if isinstance(node, ast.Subscript) and child is node.slice:
            continue
        if (
            isinstance(child, ast.Constant)
            and isinstance(child.value, int | float)
            and not isinstance(child.value, bool)
        ):
            if child.value not in PLAIN:
                yield child.value
        else:
            yield from numbers_in(child)
