"""Calibration, precision at a threshold, evidence and its true place, on cases small enough to count by hand."""

from pathlib import Path

import pytest
from PIL import Image

from docsieve.domain.extraction import Evidence
from docsieve.domain.pages.page import Page
from docsieve.errors import Invalid
from docsieve.evaluation.calibration import Rated, calibration, calibration_error, reliability
from docsieve.evaluation.datasets import Place, Sample, load_dataset
from docsieve.evaluation.figures import Leaf, count, rated
from docsieve.evaluation.runs import DocumentRun, Run, compare, load_run, save_run
from docsieve.evaluation.scores import Outcome
from docsieve.evaluation.truth.boxes import grounding_iou, meet, true_lines


def leaf(outcome: Outcome, confidence: float | None = None, *, proven: bool = False, iou: float | None = None) -> Leaf:
    return Leaf(
        "total", outcome, "total", "total", "x", "x", exact=False, confidence=confidence, proven=proven, iou=iou
    )


def proof(*box: float, page: int = 1) -> Evidence:
    x0, y0, x1, y1 = box
    return Evidence("d", page, 300, 600, (x0, y0, x1, y1), "text")


LEAVES = [
    leaf(Outcome.right, 0.95, proven=True, iou=0.5),
    leaf(Outcome.right, 0.92, proven=True, iou=0.49),
    leaf(Outcome.wrong, 0.98),
    leaf(Outcome.right, 0.45),
    leaf(Outcome.invented, 0.41),
    leaf(Outcome.missed),
]


def test_the_calibration_error_weighs_each_tenth_by_its_values() -> None:
    bins = reliability(rated(LEAVES))
    assert [(each.low, each.values, round(each.confidence, 3), round(each.right, 3)) for each in bins] == [
        (0.4, 2, 0.43, 0.5),
        (0.9, 3, 0.95, 0.667),
    ]
    assert calibration_error(bins) == pytest.approx((2 * 0.07 + 3 * (0.95 - 2 / 3)) / 5)


def test_full_confidence_belongs_to_the_last_tenth() -> None:
    assert [each.low for each in reliability(rated([leaf(Outcome.right, 1.0)]))] == [0.9]


def test_precision_at_a_threshold_looks_only_at_surer_values() -> None:
    sure = calibration(rated(LEAVES), 0.9)
    assert (sure.values, sure.sure, sure.precision, sure.share) == (5, 3, 2 / 3, 3 / 5)
    assert sure.error == calibration_error(reliability(rated(LEAVES)))
    nothing = calibration(rated(LEAVES), 0.99)
    assert (nothing.precision, nothing.share) == (None, 0.0)
    assert (calibration([], 0.5).error, calibration([], 0.5).share) == (None, None)


def test_evidence_counts_for_right_values_only_and_needs_an_iou_of_one_half() -> None:
    found = count(LEAVES)
    assert (found.evidence, found.grounding) == (2 / 3, 1 / 2)


def test_an_empty_field_is_right_if_the_document_does_not_have_it() -> None:
    documents = [
        DocumentRun("1", [leaf(Outcome.missed)], empty=[Rated(0.9, right=True), Rated(0.8, right=False)]),
        DocumentRun("2", [], empty=[Rated(0.3, right=False)]),
    ]
    empty = Run("set", "receipt", "local", 0.7, documents=documents).empty
    assert (empty.values, empty.sure, empty.precision) == (3, 2, 0.5)


def test_documents_of_each_kind_are_calibrated_alone() -> None:
    documents = [
        DocumentRun("1", [leaf(Outcome.right, 0.9)], kind="letter"),
        DocumentRun("2", [leaf(Outcome.wrong, 0.8)], kind="letter"),
        DocumentRun("3", [leaf(Outcome.right, 0.5)], kind="invoice"),
    ]
    letter, invoice = Run("set", "each", "local", 0.7, documents=documents).by_kind.values()
    assert (letter.documents, letter.calibration.sure, letter.calibration.precision) == (2, 2, 0.5)
    assert (invoice.documents, invoice.calibration.sure, invoice.calibration.precision) == (1, 0, None)


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


def test_of_several_lines_that_hold_the_value_the_best_counts(receipt: tuple[Sample, Page]) -> None:
    sample, page = receipt
    lines = true_lines(sample, [page])
    assert grounding_iou(sample, lines, "total", "9.00", [proof(15, 450, 75, 480)]) == pytest.approx(1)
    assert grounding_iou(sample, lines, "total", "9.00", [proof(15, 450, 75, 465)]) == pytest.approx(1 / 2)
    assert grounding_iou(sample, lines, "total", "9.00", [proof(15, 15, 135, 45)]) == 0
    assert grounding_iou(sample, lines, "total", "9.00", []) == 0
    assert grounding_iou(sample, lines, "total", "77.00", [proof(15, 450, 75, 480)]) is None


def test_a_line_that_holds_more_than_the_value_is_cut_down_to_it(receipt: tuple[Sample, Page]) -> None:
    sample, page = receipt
    cash = [line for line in true_lines(sample, [page]) if line.text == "CASH 9.00"]
    last_three_of_seven = 150 + 75 * 4 / 7
    assert grounding_iou(sample, cash, "total", "9.00", [proof(last_three_of_seven, 450, 225, 480)]) == pytest.approx(1)


def test_boxes_of_a_value_over_several_lines_are_one_area(receipt: tuple[Sample, Page]) -> None:
    sample, page = receipt
    lines, address = true_lines(sample, [page]), "1 Main Street, 54321 Town"
    first, second = proof(15, 60, 135, 90), proof(15, 105, 90, 135)
    assert grounding_iou(sample, lines, "address", address, [first, second]) == pytest.approx(1)
    assert grounding_iou(sample, lines, "address", address, [first, first]) == pytest.approx(120 / (120 + 75))
    assert grounding_iou(sample, lines, "address", address, [proof(15, 60, 135, 135)]) == pytest.approx(195 * 30 / 9000)


def test_boxes_in_the_truth_come_before_lines() -> None:
    sample = Sample("x", (Path("x"),), {}, boxes={"total": [Place(page=2, box=(0, 0, 10, 10))]})
    assert grounding_iou(sample, [], "total", "9.00", [proof(0, 0, 10, 5, page=2)]) == 0.5
    assert grounding_iou(sample, [], "total", "9.00", [proof(0, 0, 10, 10, page=1)]) == 0


def test_places_meet_where_they_share_half_of_the_smaller_one() -> None:
    assert meet(proof(0, 0, 10, 10), proof(5, 0, 105, 10))
    assert not meet(proof(0, 0, 10, 10), proof(6, 0, 105, 10))
    assert not meet(proof(0, 0, 10, 10), proof(0, 0, 10, 10, page=2))


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
