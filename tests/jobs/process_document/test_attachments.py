"""Documents inside documents, through the real service."""

from email.message import EmailMessage
from pathlib import Path
from typing import Any

from docsieve.services.attachments import MAX_DEPTH
from tests.faults.checker import check
from tests.service import Service


def mail(subject: str, *attachments: tuple[str, bytes]) -> bytes:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "a@example.org", "b@example.org", subject
    message.set_content("See what is attached.")
    for name, content in attachments:
        message.add_attachment(content, maintype="application", subtype="octet-stream", filename=name)
    return bytes(message)


def settled_family(service: Service, document_id: str, children: int) -> list[dict[str, Any]]:
    """The document's children, once there are as many as that and all are final."""

    def listed() -> list[dict[str, Any]]:
        found: list[dict[str, Any]]
        found = service.client.get("/documents", params={"parent_id": document_id}).json()["documents"]
        return sorted(found, key=lambda child: str(child["filename"]))

    assert service.settled(document_id)["status"] == "ready"
    # the children's rows are committed with the end of their parent's job
    assert len(listed()) == children
    for child in listed():
        service.settled(child["id"])
    return listed()


def test_what_is_attached_to_a_mail_becomes_documents_in_the_same_project(service: Service) -> None:
    service.client.post("/projects", json={"name": "claims"}).raise_for_status()
    sent = mail("Two", ("one.txt", b"The first letter."), ("two.bin", b"\x00\x01\x02\x03"), ("three.txt", b"Third."))

    parent = service.upload(sent, "mail.eml", project="claims").json()

    first, third = settled_family(service, parent["id"], 2)
    assert [(child["filename"], child["parent_path"], child["project"]) for child in (first, third)] == [
        ("one.txt", "one.txt", "claims"),
        ("three.txt", "three.txt", "claims"),
    ]
    assert service.client.get(f"/documents/{first['id']}/text").json()["text"] == "The first letter."
    listed = service.client.get(f"/documents/{parent['id']}/details").json()["attachments"]
    assert [entry["name"] for entry in listed] == ["one.txt", "two.bin", "three.txt"]
    check(service, [parent["id"], first["id"], third["id"]])


def test_reprocessing_a_mail_adds_no_child_twice(service: Service) -> None:
    parent = service.upload(mail("Once", ("one.txt", b"The letter.")), "mail.eml").json()
    [child] = settled_family(service, parent["id"], 1)

    service.client.post(f"/documents/{parent['id']}/reprocess").raise_for_status()

    assert [found["id"] for found in settled_family(service, parent["id"], 1)] == [child["id"]]


def test_the_same_mail_sent_again_has_children_of_its_own(service: Service) -> None:
    sent = mail("Again", ("one.txt", b"The letter."))
    first = service.upload(sent, "mail.eml").json()
    [older] = settled_family(service, first["id"], 1)

    second = service.upload(sent, "mail.eml").json()

    [newer] = settled_family(service, second["id"], 1)
    assert newer["id"] != older["id"] and newer["duplicate_of"] == older["id"]
    assert service.status(second["id"])["reading"]["cache_hit"] is True
    assert service.status(first["id"])["reading"]["cache_hit"] is False


def test_attachments_stay_where_they_are_if_the_sender_says_so(service: Service) -> None:
    parent = service.upload(mail("None", ("one.txt", b"The letter.")), "mail.eml", attachments="false").json()

    assert settled_family(service, parent["id"], 0) == []


def test_deleting_a_mail_deletes_what_came_inside_it(service: Service) -> None:
    parent = service.upload(mail("Gone", ("one.txt", b"The letter.")), "mail.eml").json()
    [child] = settled_family(service, parent["id"], 1)

    assert service.client.delete(f"/documents/{parent['id']}").status_code == 204

    assert service.client.get(f"/documents/{child['id']}").status_code == 404
    left = [path for path in Path(service.folder, "data", "blobs", "documents").rglob("*") if path.is_file()]
    assert left == []


def test_a_chain_of_mails_in_mails_ends(service: Service) -> None:
    sent = b"The innermost letter."
    for depth in range(MAX_DEPTH + 2):
        sent = mail(f"Level {depth}", (f"level-{depth}.eml", sent))

    parent = service.upload(sent, "mail.eml").json()

    for _ in range(MAX_DEPTH):
        [child] = settled_family(service, parent["id"], 1)
        parent = child
    assert settled_family(service, parent["id"], 0) == []
