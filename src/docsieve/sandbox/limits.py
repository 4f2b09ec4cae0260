"""Limits on what one task may use."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """`memory_mb`, `output_bytes`, `files` and `depth` apply to all processes of a task together.

    `cpu_seconds` counts the threads of one process; `depth` is how deep folders may be nested. Both times begin again
    with each page of a task that is limited by page.
    """

    memory_mb: int = 2048
    wall_seconds: float = 300.0
    cpu_seconds: int = 300
    output_bytes: int = 1024**3
    files: int = 10_000
    depth: int = 64
    open_files: int = 256
    processes: int = 128
