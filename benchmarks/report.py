"""What a benchmark hands back, and how it is shown: tables for people, JSON for machines."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True)
class Row:
    """One contender's or one case's figures; a column it lacks stays empty."""

    name: str
    figures: dict[str, float]
    note: str = ""


@dataclass(frozen=True)
class Target:
    """What had to be reached. `measured` must be at least `wanted`, or at most when `at_most` is set."""

    what: str
    wanted: float
    measured: float
    at_most: bool = False

    @property
    def met(self) -> bool:
        return self.measured <= self.wanted if self.at_most else self.measured >= self.wanted


@dataclass(frozen=True)
class Section:
    """One table: the method says how the figures came about, so that others can repeat them."""

    title: str
    method: str
    columns: tuple[str, ...]
    rows: list[Row]
    targets: list[Target] = field(default_factory=list)


def figure(value: float | None) -> str:
    if value is None:
        return ""
    if isinstance(value, int) or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.2f}" if abs(value) >= 1 else f"{value:.3f}"


def show(console: Console, section: Section) -> None:
    table = Table(title=section.title, title_justify="left", title_style="bold")
    table.add_column("")
    for column in section.columns:
        table.add_column(column, justify="right")
    for row in section.rows:
        table.add_row(row.name, *(figure(row.figures.get(column)) for column in section.columns))
    if section.rows:
        console.print(table)
    for target in section.targets:
        console.print(_target_line(target))


def write(folder: Path, machine: dict[str, str], sections: list[Section]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bench.md").write_text(_markdown(machine, sections))
    (folder / "bench.json").write_text(json.dumps(_document(machine, sections), indent=2) + "\n")


def _document(machine: dict[str, str], sections: list[Section]) -> dict[str, object]:
    described = []
    for section in sections:
        entry = asdict(section)
        entry["targets"] = [{**asdict(target), "met": target.met} for target in section.targets]
        described.append(entry)
    return {"machine": machine, "sections": described}


def _target_line(target: Target) -> str:
    relation = "at most" if target.at_most else "at least"
    verdict = "met" if target.met else "MISSED"
    return f"{verdict}: {target.what}: {figure(target.measured)}, wanted {relation} {figure(target.wanted)}"


def _markdown(machine: dict[str, str], sections: list[Section]) -> str:
    lines = ["# Benchmarks", "", "; ".join(f"{key} {value}" for key, value in machine.items()), ""]
    for section in sections:
        lines += [f"## {section.title}", "", section.method, ""]
        lines += ["| | " + " | ".join(section.columns) + " |", "|---" + "|---:" * len(section.columns) + "|"]
        for row in section.rows:
            cells = (figure(row.figures.get(column)) for column in section.columns)
            lines.append(f"| {row.name} | " + " | ".join(cells) + " |")
        lines.append("")
        lines += [f"- {row.name}: {row.note}" for row in section.rows if row.note]
        lines += [f"- {_target_line(target)}" for target in section.targets]
        lines.append("")
    return "\n".join(lines)
