"""One document after the other in the same child: the later one cannot tell that there was an earlier one."""

import json
import os
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from docsieve.domain.pages.pagefile import stored_page, whole_index
from docsieve.errors import OutputTooLarge, ParserCrashed
from docsieve.sandbox.paths import OutputPath, SharedPath
from docsieve.sandbox.pool import Sandbox
from docsieve.tasks.analyze import AnalysisOptions
from docsieve.tasks.attachments import AttachmentOptions
from docsieve.tasks.read import ReadDocument
from tests.sandbox.conftest import Poison, alive, descendants, first_page_text, open_sandbox


def below_us() -> dict[int, str]:
    return descendants(os.getpid())


async def test_what_a_document_changes_in_memory_is_gone_with_it(poison: Poison) -> None:
    later = poison("stained")
    async with open_sandbox() as sandbox:
        await sandbox.run(poison("stain"))
        await sandbox.run(later)

    assert first_page_text(later) == "clean"


async def test_a_process_that_a_document_left_is_dead_before_its_result_is_there(poison: Poison) -> None:
    async with open_sandbox() as sandbox:
        await sandbox.run(poison("ok"))
        idle = below_us()

        result = await sandbox.run(poison("daemon"))

        assert result.pages.page_count == 1
        assert below_us() == idle


async def test_a_process_that_a_document_left_cannot_answer_for_the_next(poison: Poison) -> None:
    async with open_sandbox() as sandbox:
        await sandbox.run(poison("impostor"))

        assert (await sandbox.run(poison("slow 8"))).pages.page_count == 8


async def test_a_document_that_kills_its_process_leaves_the_child_as_it_was(poison: Poison) -> None:
    async with open_sandbox() as sandbox:
        await sandbox.run(poison("ok"))
        idle = below_us()
        with pytest.raises(ParserCrashed):
            await sandbox.run(poison("segfault"))

        assert below_us() == idle
        assert (await sandbox.run(poison("ok"))).pages.page_count == 1
        assert alive(idle) == idle


async def test_a_document_gets_at_no_process_around_it(sandbox: Sandbox, poison: Poison) -> None:
    task = poison("reach")

    await sandbox.run(task)

    assert first_page_text(task) == "refused"


async def test_a_document_holds_nothing_open_but_its_own_connection(sandbox: Sandbox, poison: Poison) -> None:
    task = poison("descriptors")

    await sandbox.run(task)

    kinds = [kind for kind in first_page_text(task).split() if kind != "/dev/null"]
    assert kinds == ["pipe", "socket"]  # the pipe is where native code says why it died


@pytest.mark.parametrize("what", ["nest 12000", "burrow"])
async def test_folders_nested_without_end_are_too_much_and_are_removed(
    poison: Poison, tmp_path: Path, what: str
) -> None:
    folder = tmp_path / "children"
    folder.mkdir()
    async with open_sandbox(folder=folder) as sandbox:
        with pytest.raises(OutputTooLarge):
            await sandbox.run(poison(what))
        assert (await sandbox.run(poison("ok"))).pages.page_count == 1

    assert list(folder.iterdir()) == []


def whole(task: ReadDocument) -> tuple[str, str]:
    """What a page file says about the document, and its first page, as JSON."""
    data = task.pages.read_bytes()
    index = whole_index(data)
    return json.dumps(asdict(index.info)), stored_page(data, index, 1).decode()


async def test_characters_that_the_database_refuses_are_gone_from_all_that_a_plugin_says(
    sandbox: Sandbox, poison: Poison, tmp_path: Path
) -> None:
    chunks = tmp_path / "chunks"
    task = replace(
        poison("nul"),
        attachments=AttachmentOptions(OutputPath(tmp_path / "attached")),
        analysis=AnalysisOptions(SharedPath(chunks)),
    )

    result = await sandbox.run(task)

    assert first_page_text(task) == "nothing wrong"
    assert [attached.name for attached in result.attachments] == ["note.txt"]
    index, page = whole(task)
    for said in (json.dumps(asdict(result)), chunks.read_text(), index, page):
        assert "\\u0000" not in said
        assert "\\ud800" not in said
    assert index.count("nothing wrong") == 7
    assert page.count("nothing wrong") == 6
