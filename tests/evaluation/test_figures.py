"""Calibration, precision at a threshold, evidence and its true place, on cases small enough to count by hand."""

from pathlib import Path

import pytest
from PIL import Image

from docsieve.domain.extraction import Evidence
from docsieve.domain.pages.page import Page
from docsieve.errors import Invalid
from docsieve.evaluation.datasets import Place, Sample, load_dataset
from docsieve.evaluation.figures import Leaf, at_threshold, calibration_error, count, reliability
from docsieve.evaluation.runs import DocumentRun, Run, compare, load_run, save_run
from docsieve.evaluation.scores import Outcome
from docsieve.evaluation.true_boxes import located, true_lines


def leaf(
    outcome: Outcome, confidence: float | None = None, *, proven: bool = False, located: bool | None = None
) -> Leaf:
    return Leaf(
        "total", outcome, "total", "total", "x", "x", exact=False, confidence=confidence, proven=proven, located=located
    )


def proof(*box: float, page: int = 1) -> Evidence:
    x0, y0, x1, y1 = box
    return Evidence("d", page, 300, 600, (x0, y0, x1, y1), "text")


LEAVES = [
    leaf(Outcome.right, 0.95, proven=True, located=True),
    leaf(Outcome.right, 0.92, proven=True, located=False),
    leaf(Outcome.wrong, 0.98),
    leaf(Outcome.right, 0.45),
    leaf(Outcome.invented, 0.41),
    leaf(Outcome.missed),
]


def test_the_calibration_error_weighs_each_tenth_by_its_values() -> None:
    bins = reliability(LEAVES)
    assert [(each.low, each.values, round(each.confidence, 3), round(each.right, 3)) for each in bins] == [
        (0.4, 2, 0.43, 0.5),
        (0.9, 3, 0.95, 0.667),
    ]
    assert calibration_error(bins) == pytest.approx((2 * 0.07 + 3 * (0.95 - 2 / 3)) / 5)


def test_full_confidence_belongs_to_the_last_tenth() -> None:
    assert [each.low for each in reliability([leaf(Outcome.right, 1.0)])] == [0.9]


def test_precision_at_a_threshold_looks_only_at_surer_values() -> None:
    assert at_threshold(LEAVES, 0.9) == (2 / 3, 3 / 5)
    assert at_threshold(LEAVES, 0.99) == (None, 0.0)
    assert at_threshold([], 0.5) == (None, None)


def test_evidence_counts_for_right_values_only() -> None:
    found = count(LEAVES)
    assert (found.evidence, found.overlap) == (2 / 3, 1 / 2)


@pytest.fixture
def receipt(tmp_path: Path) -> tuple[Sample, Page]:
    """An image of 200 by 400 pixels whose page is 300 by 600 points, with its true lines."""
    for folder in ("img", "box"):
        (tmp_path / folder).mkdir()
    Image.new("RGB", (200, 400)).save(tmp_path / "img" / "7.png")
    lines = [
        "10,10,90,10,90,30,10,30,ACME, LTD",
        "10,40,90,40,90,60,10,60,1 MAIN STREET,",
        "10,70,60,70,60,90,10,90,54321 TOWN",
        "10,300,50,300,50,320,10,320,9.00",
        "100,300,150,300,150,320,100,320,CASH 9.00",
    ]
    (tmp_path / "box" / "7.csv").write_text("\n".join(lines))
    (tmp_path / "ground_truth.jsonl").write_text('{"file": "img/7.png", "fields": {"total": "9.00"}}\n')
    return load_dataset(tmp_path)[0], Page(1, 300, 600)


def test_the_true_lines_of_an_image_are_scaled_to_its_page(receipt: tuple[Sample, Page]) -> None:
    sample, page = receipt
    first = true_lines(sample, [page])[0]
    assert (first.text, first.place.box) == ("ACME, LTD", (15, 15, 135, 45))


def test_evidence_on_any_line_that_holds_the_value_is_located(receipt: tuple[Sample, Page]) -> None:
    sample, page = receipt
    lines = true_lines(sample, [page])
    assert located(sample, lines, "total", "9.00", [proof(15, 450, 70, 480)]) is True
    assert located(sample, lines, "total", "9.00", [proof(180, 452, 220, 478)]) is True
    assert located(sample, lines, "total", "9.00", [proof(15, 15, 135, 45)]) is False
    assert located(sample, lines, "total", "9.00", []) is False
    assert located(sample, lines, "total", "77.00", [proof(15, 450, 70, 480)]) is None


def test_evidence_for_a_value_over_several_lines_meets_half_of_them(receipt: tuple[Sample, Page]) -> None:
    sample, page = receipt
    lines = true_lines(sample, [page])
    address = "1 Main Street, 54321 Town"
    assert located(sample, lines, "address", address, [proof(15, 60, 135, 90)]) is True
    assert located(sample, lines, "address", address, [proof(15, 15, 135, 45)]) is False


def test_boxes_in_the_truth_come_before_lines(receipt: tuple[Sample, Page]) -> None:
    sample = Sample("x", (Path("x"),), {}, boxes={"total": [Place(page=2, box=(0, 0, 10, 10))]})
    assert located(sample, [], "total", "9.00", [proof(1, 1, 9, 9, page=2)]) is True
    assert located(sample, [], "total", "9.00", [proof(1, 1, 9, 9, page=1)]) is False


def test_a_truth_cannot_lead_out_of_its_folder(tmp_path: Path) -> None:
    inside = tmp_path / "set"
    inside.mkdir()
    (tmp_path / "secret.txt").write_text("x")
    (inside / "ground_truth.jsonl").write_text('{"file": "../secret.txt", "fields": {}}\n')
    with pytest.raises(Invalid, match="is outside the folder"):
        load_dataset(inside)


@pytest.mark.parametrize("line", ["nonsense", "[]", '{"file": "x"}', '{"file": "x", "fields": []}'])
def test_a_wrong_line_of_the_truth_is_named(tmp_path: Path, line: str) -> None:
    (tmp_path / "ground_truth.jsonl").write_text(f"\n{line}\n")
    with pytest.raises(Invalid, match="line 2"):
        load_dataset(tmp_path)


def run(*outcomes: Outcome) -> Run:
    documents = [DocumentRun(f"{number}.png", [leaf(each, 0.9)]) for number, each in enumerate(outcomes)]
    return Run("set", "receipt", "local", 0.7, documents=documents)


def test_two_runs_are_compared_over_the_documents_of_both() -> None:
    compared = compare(run(Outcome.right, Outcome.right), run(Outcome.right, Outcome.wrong, Outcome.wrong))
    assert (compared.total.before, compared.total.now, compared.documents) == (1.0, 0.5, 2)
    assert (compared.worse, compared.better) == (["1.png"], [])


def test_runs_without_a_common_document_cannot_be_compared() -> None:
    with pytest.raises(Invalid, match="no documents in common"):
        compare(run(), run(Outcome.right))


def test_a_run_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    kept = run(Outcome.right, Outcome.wrong)
    save_run(kept, tmp_path / "run.json")
    assert load_run(tmp_path / "run.json") == kept


def test_a_file_that_is_not_a_run_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text("{}")
    with pytest.raises(Invalid, match="is not a run"):
        load_run(tmp_path / "run.json")
