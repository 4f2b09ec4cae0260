"""What one document may use of a sandboxed child, and when a child is replaced."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """`output_bytes` bounds every file the child writes; `cpu_seconds` counts all its threads."""

    memory_mb: int = 1024
    wall_seconds: float = 300.0
    cpu_seconds: int = 300
    output_bytes: int = 1024**3
    open_files: int = 256
    documents_per_child: int = 200
    grown_mb: int = 256
