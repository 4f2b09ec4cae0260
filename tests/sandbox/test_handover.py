"""Which files of a task reach a child, and where what it creates ends up."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from docsieve.domain.pages.page import OnProgress
from docsieve.errors import ParserCrashed
from docsieve.sandbox.handover import Handover
from docsieve.sandbox.messages import decode_task, result_type
from docsieve.sandbox.paths import Conversion, InputPath, OutputPath, SharedPath, with_paths
from docsieve.sandbox.task import Task


@dataclass(frozen=True, slots=True)
class Part:
    id: str
    pages: InputPath


@dataclass(frozen=True, slots=True)
class Everything(Task[None]):
    pages: InputPath
    documents: tuple[Part, ...]
    more: list[InputPath]
    missing: InputPath | None
    output: OutputPath
    note: str

    def perform(self, report: OnProgress) -> None: ...


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "child"
    folder.mkdir()
    return folder


@pytest.fixture
def originals(tmp_path: Path) -> list[InputPath]:
    paths = [InputPath(tmp_path / f"pages of {number}") for number in range(3)]
    for number, path in enumerate(paths):
        path.write_text(str(number))
    return paths


def task_of(originals: list[InputPath], output: Path) -> Everything:
    parts = tuple(Part("pages", path) for path in originals)
    return Everything(originals[0], parts, originals[:2], None, OutputPath(output), str(originals[0]))


def given(handover: Handover, task: Everything) -> Everything:
    payload = handover.give(task)
    assert payload is not None
    decoded = decode_task(Everything, payload.encode())
    assert isinstance(decoded, Everything)
    return decoded


def test_paths_are_lent_one_by_one_also_in_dataclasses_tuples_and_lists(
    folder: Path, originals: list[InputPath], tmp_path: Path
) -> None:
    handover = Handover(folder, uid=None)
    task = given(handover, task_of(originals, tmp_path / "made"))
    lent = [task.pages, *(each.pages for each in task.documents), *task.more]
    assert [path.read_text() for path in lent] == ["0", "0", "1", "2", "0", "1"]
    assert len(set(lent)) == 6
    assert all(path.parent == folder / "in" for path in lent)
    assert [each.id for each in task.documents] == ["pages"] * 3
    assert task.missing is None
    task.output.write_text("made")
    handover.take()
    assert handover.clear()
    assert (tmp_path / "made").read_text() == "made"
    assert list(folder.iterdir()) == []
    assert [path.read_text() for path in originals] == ["0", "1", "2"]


def test_a_path_in_a_plain_text_is_not_lent(folder: Path, originals: list[InputPath], tmp_path: Path) -> None:
    task = given(Handover(folder, uid=None), task_of(originals, tmp_path / "made"))

    assert task.note == str(originals[0])
    assert len(list((folder / "in").iterdir())) == 6


@dataclass(frozen=True, slots=True)
class Shares(Task[None]):
    pages: SharedPath

    def perform(self, report: OnProgress) -> None: ...


def shared_by(handover: Handover, ours: Path) -> Path:
    payload = handover.give(Shares(SharedPath(ours)))
    assert payload is not None
    task = decode_task(Shares, payload.encode())
    assert isinstance(task, Shares)
    return task.pages


def test_a_shared_file_is_seen_while_it_is_written_and_again_when_the_task_is_repeated(
    folder: Path, tmp_path: Path
) -> None:
    ours = tmp_path / "pages"
    for text in ("first", "second"):
        handover = Handover(folder, uid=None)
        theirs = shared_by(handover, ours)
        assert theirs.parent == folder / "out"
        with theirs.open("w") as file:
            file.write(text)
            file.flush()
            assert ours.read_text() == text
        handover.take()
        assert handover.clear()
        assert ours.read_text() == text


@pytest.mark.parametrize("instead", [None, "link", "file"])
def test_a_shared_file_cannot_be_replaced(folder: Path, tmp_path: Path, instead: str | None) -> None:
    secret = tmp_path / "secret"
    secret.write_text("of another tenant")
    handover = Handover(folder, uid=None)
    theirs = shared_by(handover, tmp_path / "pages")
    theirs.unlink()
    if instead == "link":
        theirs.symlink_to(secret)
    elif instead == "file":
        theirs.write_text("mine")

    with pytest.raises(ParserCrashed, match="replaced"):
        handover.take()

    assert (tmp_path / "pages").read_text() == ""


@pytest.mark.parametrize("wanted", ["made", "../made", "/etc/made", "in/../../made"])
def test_an_output_is_always_in_the_childs_own_folder(
    folder: Path, originals: list[InputPath], tmp_path: Path, wanted: str
) -> None:
    task = given(Handover(folder, uid=None), task_of(originals, tmp_path / wanted))

    assert task.output.parent == folder / "out"
    assert ".." not in task.output.parts


@dataclass(frozen=True, slots=True)
class WithPath:
    path: Path


@dataclass(frozen=True, slots=True)
class WithMapping:
    paths: dict[str, InputPath]


@dataclass(frozen=True, slots=True)
class WithUnion:
    path: InputPath | str


@dataclass(frozen=True, slots=True)
class WithNested:
    parts: list[WithPath]


@dataclass(frozen=True, slots=True)
class NamesAFile(Task[Part]):
    def perform(self, report: OnProgress) -> Part:
        raise NotImplementedError


def test_a_result_cannot_contain_a_path() -> None:
    with pytest.raises(TypeError, match="must not contain a path"):
        result_type(NamesAFile)


@pytest.mark.parametrize("value", [WithPath(Path("a")), WithMapping({}), WithUnion("a"), WithNested([])])
def test_a_path_that_would_not_be_lent_cannot_be_part_of_a_task(value: Any) -> None:
    def keep(_: str, path: Path) -> Path:
        return path

    with pytest.raises(TypeError):
        with_paths(value, Conversion(keep, keep, keep))
