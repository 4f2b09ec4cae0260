"""A fixed sample of real documents, damaged and hostile ones among them, through the real service.

`make corpora` sends all of them.
"""

import pytest
from rich.console import Console

from tests.corpora.manifest import CORPORA, SETS, Kind, sample, specimens
from tests.corpora.outcomes import MIN_SHARE, UNFINISHED, share_of_open, show
from tests.corpora.passage import send_through
from tests.corpora.run import MIN_WIDTH, running_service

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not CORPORA.is_dir(), reason="the test corpora are not next to the repository"),
]


@pytest.mark.timeout(900)
@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_real_documents_end_as_expected_and_healthy_ones_become_ready_meanwhile(
    capsys: pytest.CaptureFixture[str], every: int
) -> None:
    files = sample(specimens(SETS), per_type=1)[::every]
    with running_service() as service:
        outcomes, neighbors = send_through(service, files, lambda _: None)

    with capsys.disabled():
        show(Console(width=MIN_WIDTH), outcomes, neighbors)
    assert neighbors.healthy > 0
    assert neighbors.not_ready == []
    assert neighbors.unanswered == 0
    assert neighbors.unfinished == 0
    assert [outcome for outcome in outcomes if outcome.end == UNFINISHED] == []
    assert [outcome for outcome in outcomes if outcome.wrong and outcome.specimen.kind is not Kind.OPEN] == []
    right, counted = share_of_open(outcomes)
    assert right >= MIN_SHARE * counted
