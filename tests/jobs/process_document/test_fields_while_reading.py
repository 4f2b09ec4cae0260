"""When the process that reads a document extracts its fields too, and that this makes no difference to them."""

from typing import Any

from docsieve.services.samples import SAMPLES
from tests.service import Service


def test_fields_from_the_reading_process_are_those_of_a_later_extraction(service: Service) -> None:
    state = _settled(service, schema="invoice")
    asked = {"document_ids": [state["id"]], "schema": "invoice"}
    later = service.client.post("/extractions", json=asked).raise_for_status().json()["id"]

    during = service.client.get(f"/extractions/{state['extraction']['id']}").json()
    after = service.wait_until(lambda: _completed(service, later), what="the later extraction")

    stages = _stages(service, state)
    assert stages.index("extracting") < stages.index("storing")
    assert during["value"]["total"] is not None
    assert [during[each] for each in ("value", "metadata", "confidence")] == [
        after[each] for each in ("value", "metadata", "confidence")
    ]


def test_a_schema_that_depends_on_the_class_needs_a_second_process(service: Service) -> None:
    state = _settled(service, schema="auto")

    stages = _stages(service, state)
    assert stages.index("extracting") > stages.index("storing")


def _settled(service: Service, *, schema: str) -> dict[str, Any]:
    sample = SAMPLES["invoice"]
    # other bytes for each, because pages that were read before are not read again
    content = sample.content() + f"%{schema}\n".encode()
    sent = service.upload(content, sample.filename, schema=schema).raise_for_status().json()
    state = service.settled(sent["id"])
    assert state["status"] == "ready", state
    return {**sent, **state}


def _completed(service: Service, extraction_id: str) -> dict[str, Any] | None:
    found: dict[str, Any] = service.client.get(f"/extractions/{extraction_id}").json()
    return found if found["status"] == "completed" else None


def _stages(service: Service, state: dict[str, Any]) -> list[str]:
    """Of the job that read the document."""
    attempts = service.client.get(f"/documents/{state['id']}/attempts").json()["attempts"]
    [reading] = [each for each in attempts if each["job_type"] == "process_document"]
    return [each["stage"] for each in reading["stages"]]
