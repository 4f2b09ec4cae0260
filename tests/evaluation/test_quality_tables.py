"""The tables that `make eval` prints and writes into docs/quality.md."""

from benchmarks.quality import Group, Measured, parts_of
from benchmarks.quality_parts.rows import QUALITY, row, table

from docsieve.evaluation.calibration import Rated
from docsieve.evaluation.figures import Leaf
from docsieve.evaluation.runs import DocumentRun, Run
from docsieve.evaluation.scores import ErrorKind, Outcome


def run(name: str) -> Run:
    right = Leaf("total", Outcome.right, "total", "total", 9, 9, exact=True, confidence=0.9, proven=True)
    missed = Leaf("rows[].a", Outcome.missed, None, "rows[0].a", None, 1, exact=False, error=ErrorKind.unfound)
    documents = [DocumentRun("1.pdf", [right, missed], empty=[Rated(0.8, right=True)])]
    return Run(name, "schema", "local", 0.7, documents=documents)


def test_a_column_that_no_set_fills_is_left_out() -> None:
    head, _, line = table("set", QUALITY, [row("kie_adbuy", run("kie_adbuy"))])
    assert "IoU" not in head
    assert "candidate recall" not in head
    assert head.count("|") == line.count("|")


def test_candidate_recall_is_shown_where_it_was_measured() -> None:
    head, _, line = table("set", QUALITY, [row("kie_adbuy", run("kie_adbuy"), 0.75)])
    assert "candidate recall" in head
    assert "0.750" in line


def test_a_table_without_sets_says_that_nothing_was_measured() -> None:
    assert table("set", QUALITY, []) == ["Not measured in the last run."]


def test_each_set_is_in_the_table_of_its_group() -> None:
    runs = {name: run(name) for name in ("kie_adbuy", "nda", "nda-kept", "nda-ready", "w2-kept")}
    measured = Measured(runs)
    assert {group: [each.name for each in measured.rows(group)] for group in Group} == {
        Group.real: ["kie_adbuy"],
        Group.generated: ["nda"],
        Group.kept: ["nda-kept"],
        Group.ready: ["nda (nda-ready)", "w2 (w2-kept)"],
    }


def test_errors_rows_and_empty_fields_have_their_parts() -> None:
    parts = parts_of(Measured({"kie_adbuy": run("kie_adbuy"), "nda": run("nda")}), [])
    assert parts["errors"][2] == "| kie_adbuy | 0 | 0 | 1 | 0 | 0 | 0 | 0 |"
    assert parts["rows"][2] == "| nothing read | 0.000 | 1 | 0.000 | 1 |"
    assert parts["empty"][3] == "| nda | 1 | 0.200 | 1.000 | 1 |"
