"""The queues under measurement, by name; a contender's package is imported only when it is asked for."""

from importlib import import_module

from benchmarks.queues.port import Contender

MODULES = {
    "docsieve": "benchmarks.queues.docsieve_queue",
    "pgqueuer": "benchmarks.queues.pgqueuer_queue",
    "procrastinate": "benchmarks.queues.procrastinate_queue",
    "ceiling": "benchmarks.queues.ceiling",
}


def load(name: str) -> Contender:
    """A contender by its short name, or by its module for one that is no peer to compare with."""
    contender: Contender = import_module(MODULES.get(name, name)).contender
    return contender
