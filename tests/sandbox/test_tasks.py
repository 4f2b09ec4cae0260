"""The typed seam: a child runs registered tasks only, gets only the files of a task, and its results are checked."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from docsieve.errors import ParserCrashed
from docsieve.sandbox.messages import MAX_INLINE_BYTES, decode_result
from docsieve.sandbox.paths import InputPath, OutputPath
from docsieve.sandbox.pool import Sandbox
from tests.sandbox import hostile_tasks
from tests.sandbox.conftest import LIMITS
from tests.sandbox.hostile_tasks import Answer, Count, Link, NotRegistered, Open, Recall, Seen, Write
from tests.sandbox.kernel.test_isolation import needs_landlock

ROOT = Path(__file__).parents[2]


@pytest.fixture
async def sandbox(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Sandbox]:
    """One whose children find the tasks of these tests."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    async with Sandbox(LIMITS, tasks=hostile_tasks, children=1) as sandbox:
        yield sandbox


@pytest.mark.parametrize("filler", ["", " " * 2 * MAX_INLINE_BYTES], ids=["in a message", "in a file"])
async def test_a_result_of_another_shape_is_a_crash(sandbox: Sandbox, filler: str) -> None:
    sound = '{"text": "forged", "count": 1, "words": []}'
    assert await sandbox.run(Answer(forged=sound + filler)) == Seen("forged", 1)

    for forged in ('{"text": 1}', '{"text": "a", "count": "one"}', '["a", 1]', "not JSON"):
        with pytest.raises(ParserCrashed, match="wrong shape"):
            await sandbox.run(Answer(forged=forged + filler))

    assert await sandbox.run(Answer("sound")) == Seen("sound")


async def test_a_task_that_is_not_registered_is_not_performed(sandbox: Sandbox) -> None:
    with pytest.raises(ParserCrashed, match="does not know this task"):
        await sandbox.run(NotRegistered())


async def test_a_child_is_prepared_for_each_kind_of_task_before_the_task_is_forked(sandbox: Sandbox) -> None:
    assert await sandbox.run(Recall()) == Seen("", words=["Recall"])

    await sandbox.run(Answer())

    assert await sandbox.run(Recall()) == Seen("", words=["Recall", "Answer", "Recall"])


@needs_landlock
async def test_a_path_in_a_plain_text_is_not_lent(sandbox: Sandbox, open_place: Path) -> None:
    secret = open_place / "secret"
    secret.write_text("sk-live-4242")
    secret.chmod(0o644)

    assert await sandbox.run(Open(str(secret))) == Seen("refused")


@needs_landlock
async def test_a_child_writes_its_output_in_its_own_folder_and_nowhere_else(sandbox: Sandbox, open_place: Path) -> None:
    open_place.chmod(0o777)
    output, elsewhere = OutputPath(open_place / "output"), open_place / "elsewhere"

    seen = await sandbox.run(Write(output, str(elsewhere)))

    assert Path(seen.text).parts[-2:] == ("out", "output-1")
    assert not Path(seen.text).is_relative_to(open_place)
    assert output.read_text() == "made"
    assert not elsewhere.exists()


async def test_a_large_task_and_a_large_result_travel_whole(sandbox: Sandbox, tmp_path: Path) -> None:
    source = InputPath(tmp_path / "source")
    source.write_text("x" * MAX_INLINE_BYTES)

    seen = await sandbox.run(Count((source, source), text="y" * 3 * MAX_INLINE_BYTES))

    assert (seen.text, seen.count) == ("y" * 10, 3 * MAX_INLINE_BYTES)
    assert seen.words == ["x" * MAX_INLINE_BYTES] * 2


async def test_a_link_in_place_of_a_large_result_is_a_crash(sandbox: Sandbox) -> None:
    with pytest.raises(ParserCrashed):
        await sandbox.run(Link("/etc/hostname"))


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"null",
        b"[]",
        b'{"count": 1}',
        b'{"text": 1}',
        b'{"text": "a", "count": "1"}',
        b'{"text": "a", "words": "b"}',
        b'{"text": "a", "words": [null]}',
        rb'{"text": "a\u0000"}',
        rb'{"text": "\ud800"}',
        b'{"text": "\xff"}',
        b"[" * 100_000,
    ],
)
def test_a_payload_that_is_not_exactly_the_result_is_rejected(payload: bytes) -> None:
    with pytest.raises(ParserCrashed):
        decode_result(Answer, payload)


def test_text_that_spells_out_a_nul_is_just_text() -> None:
    assert decode_result(Answer, rb'{"text": "a\\u0000"}') == Seen(r"a\u0000")
