"""Documents in lists: each reaches the child under a name of its own."""

from pathlib import Path

from docsieve.sandbox.handover import Handover


def test_documents_in_a_list_are_lent_one_by_one(tmp_path: Path) -> None:
    folder = tmp_path / "child"
    folder.mkdir()
    originals = [tmp_path / f"pages of {number}" for number in range(3)]
    for number, path in enumerate(originals):
        path.write_text(str(number))
    handover = Handover(folder, uid=None)
    given = handover.give(
        {
            "pages": str(originals[0]),
            "documents": [{"id": "pages", "pages": str(path)} for path in originals],
            "output": str(tmp_path / "made"),
        }
    )
    lent = [Path(each["pages"]) for each in given["documents"]]
    assert [path.read_text() for path in lent] == ["0", "1", "2"]
    assert len({*lent, Path(given["pages"])}) == 4
    assert all(path.parent == folder / "in" for path in lent)
    assert [each["id"] for each in given["documents"]] == ["pages"] * 3
    Path(given["output"]).write_text("made")
    handover.take()
    assert handover.clear()
    assert (tmp_path / "made").read_text() == "made"
    assert list(folder.iterdir()) == []
    assert [path.read_text() for path in originals] == ["0", "1", "2"]
