"""Makes evaluation sets of kinds of documents that few public sets have: `python -m evaluations.generated.make`.

A kind is a file in `kinds/`: a schema, facts, and templates in several wordings and languages. Templates marked `kept`
have wordings of their own and make a set of their own, `<kind>-kept`: rules and models are never tuned on those. The
same seed gives the same files.
"""

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from benchmarks.packet_parts import texts
from benchmarks.packet_parts.packets import drawn, scanned
from benchmarks.packet_parts.paper import Style

from docsieve.domain.schemas.ready import READY
from evaluations.generated.facts import Fact, drawn_facts
from evaluations.generated.layout import laid_out, named_in

KINDS = Path(__file__).parent / "kinds"
OUT = Path("build/evaluations")
DOCUMENTS = 20
KEPT_DOCUMENTS = 10
_SCANNED_EVERY = 6
_LEFT_OUT = 0.08
"""How often a pair of label and value is not printed, so that its field is null in the truth."""


@dataclass(frozen=True, slots=True)
class Made:
    content: bytes
    truth: dict[str, Any]
    language: str


def kinds() -> list[str]:
    return sorted(path.stem for path in KINDS.glob("*.toml"))


def schema_of(kind: Mapping[str, Any]) -> dict[str, Any]:
    return READY[kind["ready"]] if "ready" in kind else {"type": "object", **kind["schema"]}


def document(kind: Mapping[str, Any], template: Mapping[str, Any], seed: str, *, scan: bool = False) -> Made:
    rng = texts.Author(seed)
    language = template["language"]
    facts = drawn_facts(rng, language, kind["facts"])
    blocks = template["blocks"]
    paired, told = named_in(blocks)
    told |= named_in([{"text": template.get("title", "")}])[1]
    left_out = {name for name in sorted(paired - told) if rng.random() < _LEFT_OUT}
    printed = {name: fact for name, fact in facts.items() if name in (paired | told) - left_out}
    rows = {
        name: [drawn_facts(rng, language, row["facts"]) for _ in range(rng.randint(*row["count"]))]
        for name, row in kind.get("rows", {}).items()
        if any(block.get("table") == name for block in blocks)
    }
    columns = {block["table"]: {name for _, name, _ in block["columns"]} for block in blocks if "table" in block}
    rows = {
        name: [{key: row[key] for key in row.keys() & columns[name]} for row in made] for name, made in rows.items()
    }
    style = Style.drawn(rng, language)
    sheets = laid_out(rng, style, template.get("title", ""), blocks, printed, rows)
    content = drawn(sheets)
    return Made(scanned(content, rng) if scan else content, _truth(kind["truth"], printed, rows), language)


def _truth(tree: Any, facts: Mapping[str, Fact], rows: Mapping[str, Sequence[Mapping[str, Fact]]]) -> Any:
    """The tree with facts instead of their names; a list of one entry with `rows` has one entry for each row."""
    if isinstance(tree, str):
        return facts[tree].truth if tree in facts else None
    if isinstance(tree, dict):
        return {key: _truth(value, facts, rows) for key, value in tree.items()}
    if len(tree) == 1 and isinstance(tree[0], dict) and "rows" in tree[0]:
        leaves = {key: value for key, value in tree[0].items() if key != "rows"}
        return [_truth(leaves, row, {}) for row in rows.get(tree[0]["rows"], [])]
    entries = [_truth(each, facts, rows) for each in tree]
    return [each for each in entries if each is not None and (not isinstance(each, dict) or any(each.values()))]


def write_set(name: str, out: Path, *, kept: bool) -> Path:
    kind = tomllib.loads((KINDS / f"{name}.toml").read_text("utf-8"))
    templates = [each for each in kind["document"] if each.get("kept", False) == kept]
    folder = out / (f"{name}-kept" if kept else name)
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for at in range(KEPT_DOCUMENTS if kept else DOCUMENTS):
        made = document(kind, templates[at % len(templates)], f"{folder.name}-{at}", scan=at % _SCANNED_EVERY == 2)
        file = f"{at:02}-{made.language}.pdf"
        (folder / file).write_bytes(made.content)
        lines.append(json.dumps({"file": file, "schema": "schema.json", "fields": made.truth}, ensure_ascii=False))
    (folder / "schema.json").write_text(json.dumps(schema_of(kind), ensure_ascii=False, indent=1) + "\n", "utf-8")
    (folder / "ground_truth.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    return folder


def main(out: Annotated[Path, typer.Option(help="folder for the sets")] = OUT) -> None:
    for name in kinds():
        for kept in (False, True):
            print(write_set(name, out, kept=kept))


if __name__ == "__main__":
    typer.run(main)
