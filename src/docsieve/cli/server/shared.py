"""What an API process inherits from its supervisor: open files, and its place among the others."""

import socket
from dataclasses import dataclass
from typing import Self

from docsieve.api.limits.buckets import SharedBuckets


@dataclass(frozen=True, slots=True)
class Shared:
    """`files` are the sockets to accept from and, last, the memory of limits."""

    files: tuple[int, ...]
    place: int
    processes: int

    def written(self) -> str:
        """As an argument of a command."""
        return ",".join(map(str, (self.place, self.processes, *self.files)))

    @classmethod
    def read(cls, text: str) -> Self:
        place, processes, *files = map(int, text.split(","))
        return cls(tuple(files), place, processes)

    def sockets(self) -> list[socket.socket]:
        return [socket.socket(fileno=each) for each in self.files[:-1]]

    def buckets(self) -> SharedBuckets:
        return SharedBuckets(self.files[-1], process=self.place, processes=self.processes)
