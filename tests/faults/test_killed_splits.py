"""kill -9 at every step of splitting: each part is there once, and nothing is left over."""

from docsieve.faults import STEPS
from tests.faults.checker import check, descendants
from tests.service import Service
from tests.services.packets.samples import SEPARATOR, invoice, letter, pdf
from tests.signals import wait_for_end

SPLIT_STEPS = [step for step in STEPS if step.startswith("split.")]
CLOSING_STEPS = ["job.results_written", "job.committed"]

PACKET = pdf([*invoice("A-10001", "Alpha Tools Ltd", pages=2), SEPARATOR, *letter("Beta Office Inc.", pages=2)])


def killed(service: Service, step: str) -> None:
    doomed = service.worker("default=1", DOCSIEVE_FAULT=step)
    children = descendants(doomed.pid)
    assert doomed.wait(60) == -9, step
    wait_for_end(children)


def settled_parts(service: Service, parent: str, expected: list[tuple[int, int]]) -> list[str]:
    """The ids of the parent and its parts, once all are ready and no part is missing."""

    def written() -> list[dict[str, object]]:
        found = service.client.get(f"/documents/{parent}/splits").json()
        ranges = [(part["first_page"], part["last_page"]) for part in found["parts"]]
        complete = ranges == expected and all(part["document_id"] for part in found["parts"]) and not found["splitting"]
        return list(found["parts"]) if complete else []

    assert service.settled(parent)["status"] == "ready"
    ids = [str(part["document_id"]) for part in service.wait_until(written, what="all parts")]
    for each in ids:
        assert service.settled(each)["status"] == "ready"
    listed = service.client.get("/documents", params={"parent_id": parent}).json()
    assert listed["total"] == len(expected)
    return [parent, *ids]


def test_a_worker_killed_while_splitting_is_replaced_and_every_part_is_there_once(service: Service) -> None:
    service.api()
    accepted: list[str] = []
    for step in [*SPLIT_STEPS, *CLOSING_STEPS]:
        parent = service.upload(PACKET + f"% {step}".encode(), "scan.pdf", split="auto").json()["id"]
        killed(service, step)
        survivor = service.worker()
        accepted += settled_parts(service, parent, [(1, 2), (4, 5)])
        survivor.terminate()
        assert survivor.wait(60) == 0
    check(service, accepted)


def test_a_worker_killed_after_a_person_moved_a_cut_leaves_the_new_parts_once(service: Service) -> None:
    service.api()
    first = service.worker()
    parent = service.upload(PACKET, "scan.pdf", split="auto").json()["id"]
    settled_parts(service, parent, [(1, 2), (4, 5)])
    first.terminate()
    assert first.wait(60) == 0
    change = {"cuts": [{"action": "add", "after_page": 4}]}
    assert service.client.patch(f"/documents/{parent}/splits", json=change).status_code == 200
    killed(service, "split.parts_stored")
    service.worker()
    check(service, settled_parts(service, parent, [(1, 2), (4, 4), (5, 5)]))
