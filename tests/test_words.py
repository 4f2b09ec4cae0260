"""The check of `make lint` for words that plain English avoids, on files that are written into a folder."""

import re
from pathlib import Path

import pytest
from deploy.words import RULES, Rules, count_files, find, report, total_rate

PRETEND = Rules(
    bound=1_000.0,
    roots=["src", "docs"],
    suffixes=[".py", ".md"],
    generated=["src/client.py"],
    words={r"\bforsooth\b": "indeed", r"\bin sooth\b": "in fact"},
    names={r"\bYE_\w+": "THE_..."},
)


def lines_of(text: str) -> list[tuple[int, str]]:
    return [(hit.line, hit.text) for hit in find(PRETEND, text)]


def written(folder: Path, **texts: str) -> None:
    for name, text in texts.items():
        path = folder / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)


def test_a_listed_word_is_found_in_any_case_with_its_line() -> None:
    assert lines_of("One.\nForsooth, two.\n") == [(2, "forsooth")]


def test_a_listed_word_is_found_inside_a_test_name() -> None:
    assert lines_of("def test_forsooth_it_works():") == [(1, "forsooth")]


@pytest.mark.parametrize("text", ["one in\n    # sooth", "one in\n  // sooth", " * one in\n * sooth", "one in\nsooth"])
def test_a_phrase_is_found_across_lines_of_a_comment(text: str) -> None:
    assert lines_of(text) == [(1, "in sooth")]


def test_a_part_of_a_longer_word_is_not_listed() -> None:
    assert lines_of("forsoothly within soothing") == []


def test_a_name_is_found_as_it_is_written() -> None:
    assert lines_of("YE_LIMIT = ye_limit") == [(1, "YE_LIMIT")]


def test_the_rate_is_per_ten_thousand_words_of_all_counted_files(tmp_path: Path) -> None:
    written(tmp_path, src__a_dot_py="forsooth two three", docs__b_dot_md="four five", src__c_dot_txt="forsooth")
    assert total_rate(count_files(PRETEND, tmp_path, PRETEND.roots)) == 2_000.0


def test_generated_files_are_not_counted(tmp_path: Path) -> None:
    written(tmp_path, src__client_dot_py="forsooth")
    assert list(count_files(PRETEND, tmp_path, ["src"])) == []


def test_the_report_names_the_worst_files_only_above_the_bound(tmp_path: Path) -> None:
    written(tmp_path, src__bad_dot_py="forsooth forsooth fine", docs__good_dot_md="fine")
    counts = list(count_files(PRETEND, tmp_path, PRETEND.roots))
    assert any("2 in src/bad.py" in line for line in report(PRETEND, counts))
    assert not any("src/bad.py" in line for line in report(PRETEND, counts[1:]))


@pytest.mark.parametrize("pattern", [*RULES.words, *RULES.names])
def test_every_listed_pattern_compiles_and_needs_a_word(pattern: str) -> None:
    assert re.compile(pattern).search("") is None
