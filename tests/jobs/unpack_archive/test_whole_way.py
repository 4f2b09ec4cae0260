"""An archive through the real service: every entry gets a verdict, and the good ones become documents."""

import gzip
import json

from docsieve.domain.documents import MAX_DEPTH
from tests.archives.making import tar_of
from tests.archives.test_samples import SAMPLES
from tests.faults.checker import check
from tests.jobs.process_document.test_attachments import mail
from tests.jobs.unpack_archive.conftest import entries, family, unpacked, zipped
from tests.service import Service


def test_every_readable_entry_of_an_archive_becomes_a_document(working_service: Service) -> None:
    service = working_service
    content = zipped(
        ("may/one.txt", b"The first letter."), ("two.txt", b"The second letter."), ("x.bin", b"\x00\x01\x02\x03")
    )

    archive = unpacked(service, content, "letters.zip", metadata='{"month": "May"}', priority="3")

    assert archive["entries"] == {
        "total": 3,
        "created": 2,
        "skipped": 0,
        "unsupported_type": 1,
        "refused": 0,
        "incomplete": None,
    }
    first, second = family(service, archive["id"])
    assert [child["archive_path"] for child in (first, second)] == ["may/one.txt", "two.txt"]
    assert [child["filename"] for child in (first, second)] == ["one.txt", "two.txt"]
    assert {child["parent_id"] for child in (first, second)} == {archive["id"]}
    assert {json.dumps(child["metadata"]) for child in (first, second)} == {'{"month": "May"}'}
    assert {child["status"] for child in (first, second)} == {"ready"}
    assert service.client.get(f"/documents/{first['id']}/text").json()["text"] == "The first letter."
    assert [(entry["path"], entry["verdict"], entry["document_id"]) for entry in entries(service, archive["id"])] == [
        ("may/one.txt", "created", first["id"]),
        ("two.txt", "created", second["id"]),
        ("x.bin", "unsupported_type", None),
    ]
    job = service.client.get(f"/jobs/{first['processing_job_id']}").json()
    assert (job["priority"], job["queue"]) == (3, "default")
    check(service, [archive["id"], first["id"], second["id"]])


def test_a_compressed_tar_a_single_file_and_an_archive_inside_another_are_unpacked(working_service: Service) -> None:
    service = working_service
    inner = zipped(("deep.txt", b"A letter in an archive in an archive."))
    content = gzip.compress(tar_of(("inner.zip", inner), ("note.txt.gz", gzip.compress(b"A note."))))

    archive = unpacked(service, content, "all.tar.gz")

    nested, single = family(service, archive["id"])
    assert [(child["archive_path"], child["status"]) for child in (nested, single)] == [
        ("inner.zip", "unpacked"),
        ("note.txt.gz", "unpacked"),
    ]
    [deep], [note] = family(service, nested["id"]), family(service, single["id"])
    assert (deep["archive_path"], note["archive_path"]) == ("deep.txt", "note.txt")
    assert {service.settled(each["id"])["status"] for each in (deep, note)} == {"ready"}


def test_archives_are_unpacked_no_deeper_than_documents_may_be_nested(working_service: Service) -> None:
    service = working_service
    content = zipped(("letter.txt", b"Deep inside."))
    for _ in range(MAX_DEPTH):
        content = zipped(("inner.zip", content))

    archive = unpacked(service, content)

    for _ in range(MAX_DEPTH - 1):
        [archive] = family(service, archive["id"])
        assert service.settled(archive["id"])["status"] == "unpacked"
    [entry] = entries(service, archive["id"])
    assert (entry["verdict"], entry["code"]) == ("refused", "nested_too_deep")


def test_an_entry_that_occurs_twice_is_one_document_and_others_with_its_name_are_not(working_service: Service) -> None:
    service = working_service
    content = tar_of(("a.txt", b"One."), ("a.txt", b"One."), ("a.txt", b"Two."), ("b.txt", b"One."))

    archive = unpacked(service, content, "a.tar")

    found = entries(service, archive["id"])
    assert [(entry["verdict"], entry["code"]) for entry in found] == [
        ("created", None),
        ("skipped", "duplicate"),
        ("created", None),
        ("created", None),
    ]
    first, _, other = family(service, archive["id"])
    assert sorted([first["filename"], other["filename"]]) == ["a.txt", "b.txt"]
    assert other["duplicate_of"] == found[0]["document_id"]
    check(service, [archive["id"]])


def test_entries_are_listed_page_by_page_and_by_verdict(working_service: Service) -> None:
    service = working_service
    archive = unpacked(service, zipped(*[(f"{n}.txt", b"x" * (n + 1)) for n in range(5)], ("../evil.txt", b"x")))

    first = service.client.get(f"/documents/{archive['id']}/entries", params={"limit": 4}).json()
    rest = service.client.get(
        f"/documents/{archive['id']}/entries", params={"limit": 4, "cursor": first["next_cursor"]}
    ).json()

    assert [entry["number"] for entry in first["entries"] + rest["entries"]] == list(range(6))
    assert rest["next_cursor"] is None
    assert [entry["code"] for entry in entries(service, archive["id"], verdict="refused")] == ["unsafe_path"]


def test_an_encrypted_archive_fails_without_its_password_and_is_unpacked_with_it(working_service: Service) -> None:
    service = working_service
    content = (SAMPLES / "aes256.zip").read_bytes()

    sent = service.upload(content, "secret.zip").json()
    state = service.settled(sent["id"])
    assert (state["status"], state["error"]["code"]) == ("failed", "password_required")
    assert {entry["code"] for entry in entries(service, sent["id"])} == {"password_required"}
    service.client.post(f"/documents/{sent['id']}/reprocess", json={"password": "secret"}).raise_for_status()

    assert service.settled(sent["id"])["status"] == "unpacked"
    assert [child["filename"] for child in family(service, sent["id"])] == ["a.txt", "b.txt"]


def test_reprocessing_an_archive_reads_its_documents_again_and_adds_none_twice(working_service: Service) -> None:
    service = working_service
    archive = unpacked(service, zipped(("a.txt", b"One."), ("b.txt", b"Two.")))
    before = family(service, archive["id"])

    service.client.post(f"/documents/{archive['id']}/reprocess", json={"schema": "bill"}).raise_for_status()
    assert service.settled(archive["id"])["status"] == "unpacked"
    after = family(service, archive["id"])

    assert [child["id"] for child in after] == [child["id"] for child in before]
    assert all(a["processing_job_id"] != b["processing_job_id"] for a, b in zip(after, before, strict=True))
    assert {child["schema"] for child in after} == {"bill"}
    assert {service.settled(child["id"])["status"] for child in after} == {"ready"}
    assert len(entries(service, archive["id"])) == 2
    check(service, [archive["id"]])


def test_deleting_an_archive_deletes_its_contents(working_service: Service) -> None:
    service = working_service
    archive = unpacked(service, zipped(("a.txt", b"One."), ("inner.zip", zipped(("b.txt", b"Two.")))))

    assert service.client.delete(f"/documents/{archive['id']}").status_code == 204

    assert service.client.get("/documents").json()["documents"] == []
    assert service.client.get(f"/documents/{archive['id']}/entries").status_code == 404
    check(service, [])


def test_an_archive_attached_to_a_mail_is_unpacked(working_service: Service) -> None:
    service = working_service
    sent = service.upload(mail("Papers", ("papers.zip", zipped(("a.txt", b"One.")))), "mail.eml").json()
    assert service.settled(sent["id"])["status"] == "ready"

    [attached] = service.client.get("/documents", params={"parent_id": sent["id"]}).json()["documents"]

    assert service.settled(attached["id"])["status"] == "unpacked"
    assert (attached["parent_path"], attached["archive_path"]) == ("papers.zip", None)
    assert [child["filename"] for child in family(service, attached["id"])] == ["a.txt"]


def test_a_damaged_archive_fails_and_says_why(working_service: Service) -> None:
    service = working_service
    content = zipped(("a.txt", b"One." * 1000))

    for damaged, code in ((content[:-30], "archive_truncated"), (gzip.compress(content)[:12], "archive_truncated")):
        state = service.settled(service.upload(damaged, "damaged").json()["id"])
        assert (state["status"], state["error"]["code"]) == ("failed", code)
