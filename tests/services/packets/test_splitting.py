"""Packets through the real service: split on request, reviewed, reprocessed, deleted."""

from pathlib import Path
from typing import Any

from tests.service import Service
from tests.services.packets.samples import BLANK, SEPARATOR, invoice, letter, pdf, tiff

Json = dict[str, Any]

TWO_SURE = [*invoice("A-10001", "Alpha Tools Ltd", pages=2), SEPARATOR, *letter("Beta Office Inc.", pages=2)]


def splits(service: Service, document_id: str) -> Json:
    response = service.client.get(f"/documents/{document_id}/splits")
    assert response.status_code == 200, response.text
    found: Json = response.json()
    return found


def decide(service: Service, document_id: str, *changes: Json, **more: Any) -> Json:
    response = service.client.patch(f"/documents/{document_id}/splits", json={"cuts": list(changes), **more})
    assert response.status_code == 200, response.text
    service.wait_until(lambda: not splits(service, document_id)["splitting"], what="parts written")
    return settled(service, document_id)


def settled(service: Service, document_id: str) -> Json:
    """The cuts and parts of a document, once it and all its parts are final."""
    assert service.settled(document_id)["status"] == "ready"
    for part in splits(service, document_id)["parts"]:
        assert service.settled(part["document_id"])["status"] == "ready"
    return splits(service, document_id)


def ranges(found: Json) -> list[tuple[int, int]]:
    return [(part["first_page"], part["last_page"]) for part in found["parts"]]


def sent(service: Service, pages: list[Any], name: str = "scan.pdf", **fields: str) -> str:
    content = tiff(pages) if name.endswith("tif") else pdf(pages)
    answer = service.upload(content, name, **fields)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["id"])


def test_a_packet_is_split_at_a_separator_sheet_which_belongs_to_no_part(service: Service) -> None:
    parent = sent(service, TWO_SURE, split="auto", metadata='{"box": 7}', priority="4")

    found = settled(service, parent)

    assert ranges(found) == [(1, 2), (4, 5)]
    assert found["left_out"] == [{"page": 3, "reason": "separator"}]
    [cut] = found["cuts"]
    assert (cut["after_page"], cut["state"], cut["decided_by"]) == (2, "accepted", "detector")
    assert cut["reasons"] == ["a separator sheet lies in between"]
    first, second = (service.client.get(f"/documents/{part['document_id']}").json() for part in found["parts"])
    assert [first["filename"], second["filename"]] == ["scan (pages 1–2).pdf", "scan (pages 4–5).pdf"]
    assert (second["parent_id"], second["first_page"], second["last_page"]) == (parent, 4, 5)
    assert (first["class"], second["class"]) == ("invoice", "letter")
    assert first["metadata"] == {"box": 7}
    assert service.client.get(f"/jobs/{first['processing_job_id']}").json()["priority"] == 4
    assert service.client.get(f"/documents/{parent}").json()["split_needs_review"] is False


def test_a_part_has_the_pages_text_image_and_file_of_its_own_range_without_reading_them_again(service: Service) -> None:
    parent = sent(service, TWO_SURE, split="auto")

    part = settled(service, parent)["parts"][1]["document_id"]

    assert service.status(part)["reading"]["cache_hit"] is True
    text = service.client.get(f"/documents/{part}/text").json()
    assert [page["number"] for page in text["pages"]] == [1, 2] and "Beta Office" in text["pages"][0]["text"]
    whole = service.client.get(f"/documents/{parent}/pages/4").json()
    assert service.client.get(f"/documents/{part}/pages/1").json() == {**whole, "number": 1}
    image = service.client.get(f"/documents/{part}/pages/1/image", params={"width": 320})
    assert image.headers["content-type"] == "image/webp"
    assert service.client.get(f"/documents/{part}/file").content.startswith(b"%PDF-")
    hits = service.client.get("/search", params={"q": "roof"}).json()
    assert part in str(hits)


def test_without_asking_nothing_is_split(service: Service) -> None:
    for fields in ({}, {"split": "none"}):
        parent = sent(service, TWO_SURE, **fields)
        found = settled(service, parent)
        assert (found["cuts"], found["parts"], found["revision"]) == ([], [], 0)
        assert service.client.get(f"/documents/{parent}").json()["split_needs_review"] is None


def test_a_single_document_stays_one(service: Service) -> None:
    parent = sent(service, letter("Beta Office Inc.", pages=3), split="auto")

    found = settled(service, parent)

    assert found["parts"] == [] and not found["needs_review"]


def test_a_scanned_tiff_is_split_too(service: Service) -> None:
    parent = sent(service, TWO_SURE, "scan.tif", split="auto")

    found = settled(service, parent)

    assert ranges(found) == [(1, 2), (4, 5)]
    part = found["parts"][1]
    assert part["filename"] == "scan (pages 4–5).tif"
    assert service.status(part["document_id"])["reading"]["cache_hit"] is True
    assert service.client.get(f"/documents/{part['document_id']}/thumbnail").status_code == 200


def test_the_parts_are_extracted_instead_of_the_whole(service: Service) -> None:
    parent = sent(service, TWO_SURE, split="auto", schema="invoice")

    found = settled(service, parent)

    assert service.client.get(f"/documents/{parent}/extractions").json()["extractions"] == []
    part = found["parts"][0]["document_id"]
    fields = service.client.get(f"/documents/{part}/fields").json()["fields"]
    [number] = [field for field in fields if field["path"] == "invoice_number"]
    assert number["value"] == "A-10001"
    [evidence] = number["evidence"][:1]
    assert (evidence["document_id"], evidence["page"]) == (part, 1)
    assert service.client.get(f"/documents/{part}").json()["schema"] == "invoice"


def test_a_person_adds_moves_and_removes_cuts_and_unchanged_parts_stay_the_same_documents(service: Service) -> None:
    pages = [*letter("Beta Office Inc.", pages=4)]
    parent = sent(service, pages)
    service.settled(parent)

    found = decide(service, parent, {"action": "add", "after_page": 1}, {"action": "add", "after_page": 3})
    assert ranges(found) == [(1, 1), (2, 3), (4, 4)]
    assert [cut["state"] for cut in found["cuts"]] == ["added", "added"]
    first, middle, last = (part["document_id"] for part in found["parts"])

    found = decide(service, parent, {"action": "move", "after_page": 3, "to_page": 2}, revision=found["revision"])
    assert ranges(found) == [(1, 1), (2, 2), (3, 4)]
    assert found["parts"][0]["document_id"] == first
    assert service.client.get(f"/documents/{middle}").status_code == 404

    found = decide(service, parent, {"action": "remove", "after_page": 1}, {"action": "remove", "after_page": 2})
    assert found["cuts"] == [] and found["parts"] == []
    assert service.client.get(f"/documents/{first}").status_code == 404
    left = [path for path in Path(service.folder, "data", "blobs", "documents").rglob("*") if path.is_file()]
    assert len(left) == 1
    assert last


def test_a_cut_that_a_person_removed_stays_removed_after_reprocessing(service: Service) -> None:
    parent = sent(service, TWO_SURE, split="auto")
    settled(service, parent)
    found = decide(service, parent, {"action": "remove", "after_page": 2})
    assert found["parts"] == []

    service.client.post(f"/documents/{parent}/reprocess").raise_for_status()

    found = settled(service, parent)
    assert [(cut["state"], cut["decided_by"]) for cut in found["cuts"]] == [("removed", "person")]
    assert found["parts"] == []


def test_reprocessing_a_packet_keeps_its_parts_and_extracts_them_again(service: Service) -> None:
    parent = sent(service, TWO_SURE, split="auto", schema="none")
    before = [part["document_id"] for part in settled(service, parent)["parts"]]

    service.client.post(f"/documents/{parent}/reprocess", json={"schema": "invoice"}).raise_for_status()

    assert [part["document_id"] for part in settled(service, parent)["parts"]] == before
    newest, *_ = service.client.get(f"/documents/{before[0]}/extractions").json()["extractions"]
    assert newest["schema"].startswith("invoice")


def test_reprocessing_can_split_a_document_later_and_undo_it(service: Service) -> None:
    parent = sent(service, TWO_SURE)
    service.settled(parent)

    service.client.post(f"/documents/{parent}/reprocess", json={"split": "auto"}).raise_for_status()
    parts = settled(service, parent)["parts"]
    assert len(parts) == 2

    service.client.post(f"/documents/{parent}/reprocess", json={"split": "none"}).raise_for_status()
    found = settled(service, parent)
    assert (found["cuts"], found["parts"]) == ([], [])
    assert service.client.get(f"/documents/{parts[0]['document_id']}").status_code == 404


def test_deleting_a_packet_deletes_its_parts_and_their_files(service: Service) -> None:
    parent = sent(service, TWO_SURE, split="auto")
    part = settled(service, parent)["parts"][0]["document_id"]

    assert service.client.delete(f"/documents/{parent}").status_code == 204

    assert service.client.get(f"/documents/{part}").status_code == 404
    for folder in ("documents", "pages"):
        left = [path for path in Path(service.folder, "data", "blobs", folder).rglob("*") if path.is_file()]
        assert left == []


def test_blank_pages_at_the_ends_of_a_part_belong_to_no_part(service: Service) -> None:
    pages = [*invoice("A-10001", "Alpha Tools Ltd"), BLANK, SEPARATOR, BLANK, *letter("Beta Office Inc."), BLANK]
    parent = sent(service, pages, split="auto")

    found = settled(service, parent)

    assert ranges(found) == [(1, 1), (5, 5)]
    assert [page["page"] for page in found["left_out"]] == [2, 3, 4, 6]


def test_a_part_is_not_split_further(service: Service) -> None:
    parent = sent(service, TWO_SURE, split="auto")
    part = settled(service, parent)["parts"][0]["document_id"]

    response = service.client.patch(f"/documents/{part}/splits", json={"cuts": [{"action": "add", "after_page": 1}]})

    assert (response.status_code, response.json()["code"]) == (409, "document_not_splittable")
