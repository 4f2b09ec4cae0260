"""Makes evaluation sets of kinds of documents that few public sets have: `python -m evaluations.generated.make`.

A kind is a file in `kinds/`: a schema, facts, wordings in several languages, and layouts. Each kind makes two sets.
The second, `<kind>-kept`, also has layouts and wordings that the first never shows; rules and models are never tuned on
it. The same code gives the same files.
"""

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Annotated, Any

import typer
from benchmarks.packet_parts.packets import drawn, scanned

from evaluations.generated.compose import Draft
from evaluations.generated.layout import Line, Look, laid_out
from evaluations.generated.truth import Asked, asked, has_ready, ready

KINDS = Path(__file__).parent / "kinds"
OUT = Path("build/evaluations")
DOCUMENTS, KEPT_DOCUMENTS = 20, 10
_SCANNED_EVERY = 5


@dataclass(frozen=True, slots=True)
class Made:
    """`printed` is how the values of the truth are written on the pages.

    `boxes` is where they are, for those that are printed once on pages that are not scanned, and `ready_boxes` the same
    by the paths of the built-in schema.
    """

    name: str
    content: bytes
    truth: dict[str, Any]
    ready_truth: dict[str, Any]
    printed: tuple[str, ...]
    is_scan: bool
    boxes: dict[str, list[dict[str, Any]]]
    ready_boxes: dict[str, list[dict[str, Any]]]


def kinds() -> list[str]:
    return sorted(path.stem for path in KINDS.glob("*.toml"))


def load_kind(name: str) -> dict[str, Any]:
    return tomllib.loads((KINDS / f"{name}.toml").read_text("utf-8"))


def documents(name: str, *, kept: bool, scan: bool = True) -> list[Made]:
    """All documents of a set, with or without the step that turns some into scans."""
    kind = load_kind(name)
    return [_document(kind, name, at, kept=kept, scan=scan) for at in range(KEPT_DOCUMENTS if kept else DOCUMENTS)]


def _document(kind: Mapping[str, Any], name: str, at: int, *, kept: bool, scan: bool) -> Made:
    rng = Random(f"{name}-{kept}-{at}")
    languages = kind["languages"]
    language = languages[at % len(languages)]
    layout = _layout(kind, at, at // len(languages), kept=kept)
    draft = Draft(rng, kind, language, kept=kept)
    blocks = draft.blocks(layout["blocks"])
    footer = draft.text(layout["footer"]) if "footer" in layout else ""
    pages = laid_out(Look.drawn(rng, language, layout, footer=footer), blocks)
    content = drawn(pages.sheets)
    is_scan = kind.get("scanned", False) or at % _SCANNED_EVERY == 2
    if is_scan and scan:
        content = scanned(content, rng, dpi=rng.choice((150, 170, 200)), blur=rng.uniform(0.2, 0.6))
    ready_truth = ready(kind).truth(draft) if "ready" in kind else {}
    places = {} if is_scan else pages.places
    return Made(
        f"{at:02}-{language}",
        content,
        asked(kind).truth(draft),
        ready_truth,
        tuple(_printed(draft)),
        is_scan,
        _boxes(asked(kind), draft, places),
        _boxes(ready(kind), draft, places) if "ready" in kind else {},
    )


def _boxes(asked_for: Asked, draft: Draft, places: Mapping[int, Sequence[Sequence[Line]]]) -> dict[str, list[Any]]:
    """A value that is printed in several places has no true one."""
    found = {}
    for path, key in asked_for.printed(draft):
        drawn_at = places.get(draft.marks.get(key, -1), ())
        if len(drawn_at) == 1:
            found[path] = [{"page": page, "box": [round(edge, 2) for edge in box]} for page, box in drawn_at[0]]
    return found


def _layout(kind: Mapping[str, Any], at: int, turn: int, *, kept: bool) -> Mapping[str, Any]:
    """Half of the kept documents have layouts that are only for them."""
    shared = [each for each in kind["layout"] if not each.get("kept", False)]
    own = [each for each in kind["layout"] if each.get("kept", False)]
    chosen: Mapping[str, Any] = own[at // 2 % len(own)] if kept and at % 2 == 0 else shared[(at + turn) % len(shared)]
    return chosen


def _printed(draft: Draft) -> list[str]:
    """All ways of printing each fact that is shown, joined: a page has at least one of them."""
    rows = [(row, draft.shown_rows.get(name, set())) for name, made in draft.rows.items() for row in made]
    return [
        "\n".join((facts[name].printed, *facts[name].forms.values()))
        for facts, shown in ((draft.facts, draft.shown), *rows)
        for name in sorted(shown)
    ]


def sets(kind: str) -> list[str]:
    """`-ready` has the kept documents, with the built-in schema instead of one that a user wrote."""
    return [kind, f"{kind}-kept", *([f"{kind}-ready"] if has_ready(load_kind(kind)) else [])]


def write_kind(kind: str, out: Path) -> list[Path]:
    content = load_kind(kind)
    tuned, kept = documents(kind, kept=False), documents(kind, kept=True)
    written = [
        _write_set(out / kind, tuned, asked(content).schema, [(each.truth, each.boxes) for each in tuned]),
        _write_set(out / f"{kind}-kept", kept, asked(content).schema, [(each.truth, each.boxes) for each in kept]),
    ]
    if has_ready(content):
        written.append(
            _write_set(
                out / f"{kind}-ready",
                kept,
                ready(content).schema,
                [(each.ready_truth, each.ready_boxes) for each in kept],
            )
        )
    return written


def _write_set(folder: Path, made: Sequence[Made], schema: Mapping[str, Any], truths: Sequence[Any]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.pdf"):
        old.unlink()
    lines = []
    for each, (fields, boxes) in zip(made, truths, strict=True):
        file = f"{each.name}.pdf"
        (folder / file).write_bytes(each.content)
        entry = {"file": file, "schema": "schema.json", "fields": fields, "boxes": boxes}
        lines.append(json.dumps(entry, ensure_ascii=False))
    (folder / "schema.json").write_text(json.dumps(schema, ensure_ascii=False, indent=1) + "\n", "utf-8")
    (folder / "ground_truth.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    return folder


def main(
    out: Annotated[Path, typer.Option(help="folder for the sets")] = OUT,
    only: Annotated[str, typer.Option(help="kinds, comma-separated; default: all")] = "",
) -> None:
    for name in only.split(",") if only else kinds():
        print(*write_kind(name, out), sep="\n")


if __name__ == "__main__":
    typer.run(main)
