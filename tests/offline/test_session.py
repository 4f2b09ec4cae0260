"""Extracting from files without a server: which slots an engine takes."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from docsieve.domain.extraction import ExtractionSpec
from docsieve.offline.session import open_session
from docsieve.settings import Settings
from tests.jobs.conftest import INVOICE, SCHEMA


@pytest.mark.parametrize("engine", ["local", "second"])
async def test_a_local_engine_takes_a_process_slot_and_no_network_slot(tmp_path: Path, engine: str) -> None:
    """Without any free network slot it still runs; without a free process slot it waits."""
    invoice = tmp_path / "invoice.txt"
    invoice.write_bytes(INVOICE)
    async with open_session(Settings(data_dir=tmp_path), cache=None, processes=1) as session:
        without_network = replace(session, network_slots=asyncio.Semaphore(0))
        file = await session.read(invoice, lambda _: None)

        async with asyncio.timeout(120):
            found = await without_network.extract([file], ExtractionSpec(SCHEMA, engine), lambda _: None)

        assert found.result.value["invoice_number"] == "INV-2041"
        async with session.process_slots:
            waiting = asyncio.create_task(session.extract([file], ExtractionSpec(SCHEMA, engine), lambda _: None))
            await asyncio.sleep(0)
            assert session.process_slots.locked() and not waiting.done()
        assert (await waiting).result.value == found.result.value
