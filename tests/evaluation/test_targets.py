"""What `make eval` has to reach, and the groups that the sets are shown in."""

from pathlib import Path

import pytest
from benchmarks.quality import ALL_SETS, OWN_SETS, READY_SETS, SETS, Corpus, Group
from benchmarks.quality_parts.ready_sets import INVOICE, renamed
from benchmarks.quality_parts.targets import AIMS, targets

from docsieve.domain.schemas.fields import fields_of
from docsieve.domain.schemas.ready import READY
from docsieve.evaluation.datasets import Sample
from docsieve.evaluation.figures import Leaf
from docsieve.evaluation.runs import DocumentRun, Run
from docsieve.evaluation.scores import Outcome


def run(right: int, missed: int, *, pattern: str = "total") -> Run:
    outcomes = [Outcome.right] * right + [Outcome.missed] * missed
    path = pattern.replace("[]", "[0]")
    leaves = [Leaf(pattern, each, path, path, "x", "x", exact=True, confidence=1.0, proven=True) for each in outcomes]
    return Run("set", "schema", "local", 0.7, documents=[DocumentRun("1", leaves)])


def verdicts(runs: dict[str, Run]) -> dict[str, bool]:
    return {target.what: target.met for target in targets(runs, [corpus.name for corpus in SETS])}


@pytest.mark.parametrize("aim", AIMS, ids=lambda each: each.name)
def test_every_aim_is_about_a_set_that_is_measured(aim: object) -> None:
    assert getattr(aim, "name", "") in {corpus.name for corpus in SETS}


def test_a_set_may_miss_its_aim_without_being_worse_than_before() -> None:
    assert verdicts({"kie_wildreceipt": run(55, 45)}) == {
        "kie_wildreceipt, F1": False,
        "kie_wildreceipt, F1 no worse than 0.685": True,
        "right values with evidence, real sets": True,
        "calibration error, real sets": True,
    }


def test_a_set_that_fell_behind_by_more_than_the_tolerance_misses() -> None:
    assert not verdicts({"kie_azure_tax": run(1, 9)})["kie_azure_tax, F1 no worse than 0.814"]


def test_the_aim_of_a_set_of_invoices_is_about_its_rows() -> None:
    assert verdicts({"kie_zugferd": run(9, 1, pattern="line_items[].name")})["kie_zugferd, F1 of its rows"]
    assert not verdicts({"kie_zugferd": run(9, 1)})["kie_zugferd, F1 of its rows"]


def test_every_ready_made_schema_is_measured_on_documents_kept_out_of_tuning() -> None:
    measured = {corpus.ready for corpus in OWN_SETS if corpus.group is Group.ready}
    assert measured == set(READY)


@pytest.mark.parametrize("corpus", READY_SETS, ids=lambda each: each.name)
def test_the_truth_of_real_documents_has_the_names_of_the_ready_made_schema(corpus: Corpus) -> None:
    assert corpus.ready is not None
    assert corpus.names is not None
    asked = {field.pattern for field in fields_of(READY[corpus.ready])}
    named = {name for name in corpus.names.values() if name != "line_items"}
    assert named <= asked | {pattern.removeprefix("line_items[].") for pattern in asked}


def test_rows_and_objects_get_the_names_of_the_schema() -> None:
    truth = {"seller_name": "Acme", "vat": "1", "line_items": [{"name": "Tea", "line_total": "2"}]}
    sample = renamed(Sample("a", (Path("a"),), truth), INVOICE)
    assert sample.truth == {"seller": {"name": "Acme"}, "line_items": [{"description": "Tea", "amount": "2"}]}


def test_no_two_sets_have_the_same_name() -> None:
    assert len({corpus.name for corpus in ALL_SETS}) == len(ALL_SETS)


def test_sets_kept_out_of_tuning_are_shown_apart() -> None:
    for corpus in OWN_SETS:
        assert corpus.name.endswith(("-kept", "-ready")) == (corpus.group in (Group.kept, Group.ready))
