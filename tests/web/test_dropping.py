"""Folders are dropped onto the window as people do it with their file manager."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from tests.service import poll_until
from tests.web.people import Office, Person

_NOTE_DRAGGING = "addEventListener('dragover', () => { document.documentElement.dataset.draggedOver = 'true' })"


def _drop(person: Person, path: Path) -> None:
    """As a hand does it: it moves until the page shows that it may let go."""
    page = person.page
    page.evaluate(_NOTE_DRAGGING)
    hand = page.context.new_cdp_session(page)
    dragged = {"items": [], "files": [str(path)], "dragOperationsMask": 1}

    def move(kind: str) -> None:
        hand.send("Input.dispatchDragEvent", {"type": kind, "x": 700, "y": 500, "data": dragged})

    def moved_over() -> bool:
        """Where the page has changed under the pointer, the first move only enters the new element."""
        move("dragOver")
        return page.locator("html[data-dragged-over]").count() > 0

    move("dragEnter")
    expect(page.get_by_text("Drop files or folders to upload")).to_be_visible()
    poll_until(moved_over, what="the page to hear of what hovers")
    move("drop")
    expect(page.get_by_text("Drop files or folders to upload")).to_be_hidden()


def test_a_dropped_folder_is_uploaded_with_its_subfolders(
    office: Office, arrive: Callable[..., Person], tmp_path: Path
) -> None:
    inside = tmp_path / "march" / "invoices" / "paid"
    inside.mkdir(parents=True)
    for place, name in ((tmp_path / "march", "letter.txt"), (inside.parent, "open.txt"), (inside, "paid.txt")):
        (place / name).write_text(f"The text of {name}.")
    (inside / ".DS_Store").write_text("what a system leaves behind")
    person = arrive()
    person.sign_in(office.admin_key)
    _drop(person, tmp_path / "march")
    for name in ("letter.txt", "open.txt", "paid.txt"):
        expect(person.page.get_by_role("row").filter(has_text=name)).to_contain_text("Ready")
    uploaded = office.client.get("/documents").raise_for_status().json()["documents"]
    assert sorted(document["filename"] for document in uploaded) == ["letter.txt", "open.txt", "paid.txt"]


def test_a_dropped_folder_without_files_says_so(office: Office, arrive: Callable[..., Person], tmp_path: Path) -> None:
    (tmp_path / "empty" / "emptier").mkdir(parents=True)
    person = arrive()
    person.sign_in(office.admin_key)
    _drop(person, tmp_path / "empty")
    person.sees("The folder contains no files.")
