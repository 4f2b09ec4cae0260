"""Corrections teach: what people put right on some documents of a layout is right on the next one."""

from typing import Any

from tests.jobs.conftest import fields_of, ready, settled, start
from tests.service import Service

CLERKS = ["Meyer", "Okafor", "Larsen", "Novak", "Rossi", "Dubois", "Svensson", "Kowalski", "Garcia", "Tanaka", "Silva"]
SCHEMA = {"type": "object", "properties": {"matter": {"type": "string"}, "clerk": {"type": "string"}}}


def _letter(number: int) -> bytes:
    """The wanted values are next to words that are in no dictionary of labels."""
    return f"""Northwind Claims Office
Harbour Street {number + 3}, Cork

Zug {_matter(number)}
Hand {CLERKS[number]}

Dear Sir or Madam,
we have looked at what you sent us and will pay {100 + number * 7}.20 EUR within a week.
Kind regards
""".encode()


def _matter(number: int) -> str:
    return f"{7000 + number * 13}-{chr(65 + number)}{chr(75 + number)}"


def _truth(number: int) -> dict[str, str]:
    return {"matter": _matter(number), "clerk": CLERKS[number]}


def _values(service: Service, document_id: str) -> dict[str, Any]:
    return {path: each["value"] for path, each in fields_of(service, document_id).items()}


def _correct(service: Service, document_id: str, truth: dict[str, str], *, verify: bool) -> None:
    extraction_id = service.status(document_id)["extraction"]["id"]
    fixes = [{"path": path, "value": value} for path, value in truth.items()]
    service.client.patch(f"/extractions/{extraction_id}/fields", json={"fields": fixes}).raise_for_status()
    if verify:
        service.client.post(f"/extractions/{extraction_id}/verify").raise_for_status()


def test_ten_corrected_letters_of_one_layout_make_the_eleventh_right(service: Service) -> None:
    service.client.post("/schemas", json={"name": "letter", "schema": SCHEMA}).raise_for_status()
    service.worker()
    sent = [service.upload(_letter(number), schema="letter").json()["id"] for number in range(10)]
    for number, document_id in enumerate(sent):
        assert service.settled(document_id)["status"] == "ready"
        if number == 0:
            assert _values(service, document_id) != _truth(number), "there is nothing to learn"
        _correct(service, document_id, _truth(number), verify=number % 2 == 0)

    def in_use() -> dict[str, Any] | None:
        learned = service.client.get("/schemas/letter/lessons").raise_for_status().json()["lessons"]
        found = {each["engine"]: each for each in learned if each["active"] and each["examples"] == 10}
        return found if found.keys() == {"local", "second"} else None

    by_engine = service.wait_until(in_use, seconds=120, what="lessons in use")
    lessons = by_engine["local"]
    assert lessons["score_trained"] > lessons["score_untrained"]
    eleventh = ready(service, _letter(10), schema="letter")
    assert _values(service, eleventh) == _truth(10)
    extraction_id = service.status(eleventh)["extraction"]["id"]
    found = service.client.get(f"/extractions/{extraction_id}").json()
    assert found["lessons_version"] == lessons["version"]
    again = start(service, eleventh, schema="letter", engine="second")
    assert settled(service, again["id"])["lessons_version"] == by_engine["second"]["version"] != lessons["version"]
    elsewhere = ready(service, _letter(10), schema="bill")
    other = service.client.get(f"/extractions/{service.status(elsewhere)['extraction']['id']}").json()
    assert other["lessons_version"] is None


def test_a_field_corrected_three_times_is_right_in_the_fourth_document_and_says_that_it_was_learned(
    service: Service,
) -> None:
    service.client.post("/schemas", json={"name": "claim", "schema": SCHEMA}).raise_for_status()
    service.worker()
    for number in range(3):
        document_id = ready(service, _letter(number), schema="claim")
        assert _values(service, document_id)["matter"] != _matter(number), "there is nothing to learn"
        _correct(service, document_id, {"matter": _matter(number)}, verify=False)

    def in_use() -> bool:
        learned = service.client.get("/schemas/claim/lessons").raise_for_status().json()["lessons"]
        return any(each["engine"] == "local" and each["active"] and each["examples"] == 3 for each in learned)

    service.wait_until(in_use, seconds=120, what="lessons in use")
    found = fields_of(service, ready(service, _letter(10), schema="claim"))["matter"]
    assert found["value"] == _matter(10)
    assert found["why"].endswith("as learned from 3 corrected documents")
    assert found["confidence"] > 0.3
