"""Confidence on kinds that the judge never saw, from the file that its training writes."""

import json
from pathlib import Path

import pytest
from benchmarks.quality_parts.left_out import EVERYTHING, left_out_rows, left_out_targets, load_left_out
from pydantic import ValidationError


def written(tmp_path: Path, *values: tuple[str, float, bool]) -> Path:
    path = tmp_path / "left_out.json"
    keys = ("kind", "confidence", "right")
    path.write_text(json.dumps([dict(zip(keys, value, strict=True)) for value in values]))
    return path


def test_each_kind_and_all_of_them_are_measured(tmp_path: Path) -> None:
    kinds = load_left_out(
        written(tmp_path, ("nda", 0.9, True), ("nda", 0.8, False), ("letter", 0.7, True), ("letter", 0.3, False))
    )
    assert list(kinds) == ["letter", "nda", EVERYTHING]
    assert (kinds["nda"].values, kinds["nda"].sure, kinds["nda"].precision) == (2, 2, 0.5)
    assert (kinds["letter"].sure, kinds["letter"].precision) == (1, 1.0)
    assert kinds[EVERYTHING].values == 4


def test_one_kind_below_its_mark_is_a_missed_target(tmp_path: Path) -> None:
    values = [("nda", 0.9, place < 9) for place in range(10)] + [("letter", 0.9, False)]
    missed = {target.what for target in left_out_targets(load_left_out(written(tmp_path, *values))) if not target.met}
    assert "left out: letter, calibration error" in missed
    assert "left out: letter, right at ≥ 0.7" in missed
    assert not any("nda" in what for what in missed)


def test_a_kind_without_a_sure_value_has_no_precision(tmp_path: Path) -> None:
    (letter, _) = left_out_rows(load_left_out(written(tmp_path, ("letter", 0.2, False))))
    assert "right at ≥ 0.7" not in letter.figures
    assert letter.figures["values at ≥ 0.7"] == 0


def test_nothing_is_claimed_if_the_file_does_not_exist(tmp_path: Path) -> None:
    assert load_left_out(tmp_path / "none.json") == {}
    assert left_out_targets({}) == []


def test_a_file_of_another_shape_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "left_out.json"
    path.write_text('[{"kind": "nda", "confidence": 0.9}]')
    with pytest.raises(ValidationError):
        load_left_out(path)
