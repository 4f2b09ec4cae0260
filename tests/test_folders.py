"""Folders that somebody else filled are removed, however deep, closed or strange."""

from pathlib import Path

from docsieve import folders
from tests.trees import nest


def test_a_tree_deeper_than_any_path_is_removed(tmp_path: Path) -> None:
    folder = tmp_path / "deep"
    folder.mkdir()
    nest(folder)

    assert folders.remove(folder)
    assert not folder.exists()


def test_a_folder_whose_names_look_like_ours_is_emptied(tmp_path: Path) -> None:
    for first in range(3):
        for second in range(3):
            (tmp_path / str(first) / str(second) / "0").mkdir(parents=True)

    assert folders.empty(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_what_a_link_leads_to_stays(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").touch()
    folder = tmp_path / "folder"
    (folder / "inner").mkdir(parents=True)
    (folder / "link").symlink_to(kept)
    (folder / "inner" / "link").symlink_to(kept)
    (tmp_path / "top").symlink_to(kept)

    assert folders.remove(folder)
    assert folders.remove(tmp_path / "top")
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
    assert (kept / "file").exists()


def test_folders_that_were_closed_to_their_owner_are_removed(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "closed" / "inner").mkdir(parents=True)
    (folder / "closed" / "inner").chmod(0)
    (folder / "closed").chmod(0)

    assert folders.remove(folder)


def test_a_file_and_nothing_at_all_are_removed_too(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    assert folders.remove(tmp_path / "file")
    assert folders.remove(tmp_path / "file")
    assert list(tmp_path.iterdir()) == []
