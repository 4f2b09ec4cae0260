"""What the benchmark of the local engine counts, on code small enough to count by hand."""

import ast
import sys
from pathlib import Path
from types import FrameType

import pytest
from benchmarks.extractions.size import ENGINE, numbers_in, size_of
from benchmarks.extractions.worker import PACKAGE, step_of


@pytest.mark.parametrize(
    ("code", "numbers"),
    [
        ("LIMIT = 0.7", [0.7]),
        ("a = [0, 1, -1, 2, 1.0]", []),
        ("a = -3", [3]),
        ("a = text[3:40]", []),
        ("a = table[f(7)] + 8", [8]),
        ("a = True", []),
        ("def f(a: int = 5) -> int: return a * 60", [5, 60]),
    ],
)
def test_numbers_are_literals_outside_of_subscripts_that_are_not_plain(code: str, numbers: list[float]) -> None:
    assert list(numbers_in(ast.parse(code))) == numbers


def test_files_without_a_line_do_not_count(tmp_path: Path) -> None:
    folder = tmp_path / ENGINE / "lists"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "grids.py").write_text("WIDTH = 12\n\nHEIGHT = 2\n")
    size = size_of(tmp_path)
    assert (size.lines, size.files, size.numbers) == (3, 1, 1)


def frame_of(*modules: str) -> FrameType:
    """The innermost frame of a stack of functions, each in the module named, the outermost first."""
    functions = ""
    for place, module in enumerate(modules):
        call = f"f{place + 1}()" if place + 1 < len(modules) else "sys._getframe()"
        functions += f"exec(compile('def f{place}(): return {call}', PACKAGE + '{module}', 'exec'), scope)\n"
    scope: dict[str, object] = {"sys": sys}
    exec(functions, {"PACKAGE": PACKAGE, "scope": scope})
    found = scope["f0"]
    assert callable(found)
    frame = found()
    assert isinstance(frame, FrameType)
    return frame


@pytest.mark.parametrize(
    ("modules", "step"),
    [
        (["engines/local/engine.py", "engines/local/lists/grids.py", "engines/local/page/view.py"], "lists"),
        (["engines/local/engine.py", "engines/local/fields/spans.py"], "candidates"),
        (["engines/local/engine.py", "engines/local/judge/score.py"], "choice"),
        (["analysis/proof/results.py", "analysis/proof/grounding/ground.py", "values/dates.py"], "grounding"),
        (["analysis/proof/results.py", "analysis/proof/checks/leaf.py"], "checks"),
        (["engines/local/engine.py"], "other"),
    ],
)
def test_a_sample_belongs_to_the_outermost_step_on_its_stack(modules: list[str], step: str) -> None:
    assert step_of(frame_of(*modules)) == step
