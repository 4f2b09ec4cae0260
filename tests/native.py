"""Native models in a separate process, so that one that dies fails one test and not the run."""

import asyncio
import os
import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import chdir
from dataclasses import replace
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

from docsieve.domain.pages.page import Page
from docsieve.parsers.port import Parser, ReadOptions
from docsieve.pipelines.ocr import MachineOcr
from docsieve.sandbox.kernel.isolation import die_with_parent

T = TypeVar("T")

_pool: ProcessPoolExecutor | None = None


def in_child(function: Callable[..., T], *arguments: Any, **named: Any) -> T:
    """What the function returns or raises, run in a child that stays for the next call unless it dies."""
    global _pool
    _pool = _pool or _new_pool()
    try:
        return _pool.submit(function, *arguments, **named).result()
    except BrokenProcessPool as error:
        _pool = None
        raise AssertionError(f"the process that ran {function.__name__} died") from error


def in_new_child(function: Callable[..., T], *arguments: Any) -> T:
    """As `in_child`, in a process that has done nothing before."""
    with _new_pool() as pool:
        return pool.submit(function, *arguments).result()


def _new_pool() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, get_context("spawn"), die_with_parent, (os.getpid(),))


def pages_of(parser: Parser, source: Path, **options: Any) -> list[Page]:
    """The pages of a document that may have to go to OCR, read in a child."""
    return in_child(_pages_of, parser, source.absolute(), scan_options(**options))


def scan_options(**changes: Any) -> ReadOptions:
    """Options with an OCR backend that works here."""
    return replace(_machine_options(), **changes)


def _pages_of(parser: Parser, source: Path, options: ReadOptions) -> list[Page]:
    with tempfile.TemporaryDirectory() as folder, chdir(folder):  # a parser works in a separate folder
        reading = parser.read(source, options)
        pages = list(reading.pages)
    assert len(pages) == reading.page_count
    return pages


@cache
def _machine_options() -> ReadOptions:
    async def choose() -> ReadOptions:
        ocr = MachineOcr(Path("/nonexistent"), memory_mb=2048)
        await ocr.choose()
        return ocr.options(ReadOptions())

    return asyncio.run(choose())
