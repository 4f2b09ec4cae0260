from pathlib import Path

import pytest

from docsieve.parsers.port import ReadOptions
from docsieve.parsers.web.formats import MARKDOWN

DOCUMENT = """---
title: "Notes"
author: Ann
---

# A title

Some **bold** and `code`
in one [paragraph](http://x.y).

1. one
2. two

| a | b |
|---|---|
| 1 | 2 |

```python
# no heading
    kept = 1
```
"""


def test_markdown_reads_like_the_page_it_renders_to(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text(DOCUMENT)

    reading = MARKDOWN.read(path, ReadOptions())
    [page] = reading.pages

    assert (reading.info.title, reading.info.author) == ("Notes", "Ann")
    assert [(line.text, line.role) for line in page.lines][2:] == [
        ("A title", "heading"),
        ("Some bold and code in one paragraph.", None),
        ("1. one", "list"),
        ("2. two", "list"),
        ("a b", None),
        ("1 2", None),
        ("# no heading", None),
        ("kept = 1", None),
    ]
    assert [(cell.text, cell.header) for cell in page.tables[0].cells] == [
        ("a", True),
        ("b", True),
        ("1", False),
        ("2", False),
    ]


def test_a_long_text_is_rendered_in_sections_without_losing_a_line(tmp_path: Path) -> None:
    path = tmp_path / "x"
    long = "long " * 60
    path.write_text(
        "".join(f"## Part {n}\n\n```\ncode {n}\n\n# not\n```\n\nword {n}\n\n{long}\n\n" for n in range(500))
    )

    text = "\n".join(page.text for page in MARKDOWN.read(path, ReadOptions()).pages)

    assert all(f"Part {n}\ncode {n}\n# not\nword {n}" in text for n in range(500))


def test_scripts_inside_stay_out(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("# T\n\n<script>\nno()\n</script>\n\n<table><tr><td>a<td>b</table>\n")

    [page] = MARKDOWN.read(path, ReadOptions()).pages

    assert page.text == "T\na b"
    assert len(page.tables) == 1


@pytest.mark.parametrize(
    ("text", "known"),
    [
        (DOCUMENT, True),
        ("# One\n\ntext\n\n## Two\n\nmore\n", True),
        ("Item | Price\n---|---\nTea | 2\n", True),
        ("See [here](http://x.y), [there](a.md) and **this**.\n", True),
        ("#!/bin/sh\n# comment\n\n# more\n\necho hi\n", False),
        ("import os\n\n# One\n\n# Two\n\nx = 1\n", False),
        ("# settings\nkey = value\n# more\nother = 2\n", False),
        ("Dear all,\n\n- one\n- two\n\nRegards\n", False),
        ("* not * much * here\n", False),
        ("a,b\n1,2\n", False),
    ],
)
def test_markdown_is_accepted_on_good_evidence_only(text: str, known: bool) -> None:
    assert (MARKDOWN.sniff(text.encode()) == "text/markdown") is known
