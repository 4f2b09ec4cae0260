"""What one document may use of a sandboxed child, and when a child is replaced."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """`memory_mb` is what all processes of a child hold; `output_bytes` and `files` all that they write.

    `cpu_seconds` counts the threads of one process. `grown_mb` is how much a child may keep from document to document,
    models that it loaded apart.
    """

    memory_mb: int = 2048
    wall_seconds: float = 300.0
    cpu_seconds: int = 300
    output_bytes: int = 1024**3
    files: int = 10_000
    open_files: int = 256
    processes: int = 128
    documents_per_child: int = 200
    grown_mb: int = 256
