"""The backends that run OCR models: a library, an instruction set and a precision.

Not every machine runs all of them: OpenVINO executes an illegal instruction where the CPU advertises AMX and the kernel
has not enabled it. `LADDER` lists them in the order in which they are tried; `pipelines/ocr.py` determines which
of them work and which is the fastest.
"""

import os
import sys
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from docsieve import faults
from docsieve.errors import OcrBackendUnusable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Values = NDArray[np.float32]

_ISA_VARIABLE = "ONEDNN_MAX_CPU_ISA"
# The most that a CPU without AMX can have, including bf16 and f16.
_WITHOUT_AMX = "AVX512_CORE_FP16"
_SHAPES_KEPT = "200"


@dataclass(frozen=True, slots=True)
class Backend:
    """`isa` limits OpenVINO's instruction set; without `precision`, the library chooses one."""

    name: str
    library: Literal["openvino", "onnxruntime"]
    precision: Literal["f32"] | None = None
    isa: str | None = None

    @property
    def installed(self) -> bool:
        return find_spec(self.library) is not None


LADDER = (
    Backend("openvino", "openvino"),
    Backend("openvino-without-amx", "openvino", isa=_WITHOUT_AMX),
    Backend("openvino-f32", "openvino", precision="f32"),
    Backend("onnxruntime", "onnxruntime"),
)


class Model(Protocol):
    """A loaded model with one input and one output, run by the calling thread alone."""

    def __call__(self, values: "Values") -> "Values":
        """Return the output, which is valid until the next call."""
        ...

    def metadata(self, key: str) -> str:
        """Return the metadata of the model file for a key."""
        ...

    def weights(self, name: str) -> "Values":
        """Return a constant of the model file."""
        ...

    def release(self) -> None:
        """Free memory that is kept between calls."""
        ...


def backend(name: str) -> Backend:
    """Raises OcrBackendUnusable for a name that is not on the ladder."""
    for each in LADDER:
        if each.name == name:
            return each
    raise OcrBackendUnusable(f"Unknown OCR backend {name!r}.")


def open_model(path: Path, backend: Backend, *, output: str | None = None) -> Model:
    """A model that returns its output, or the tensor named `output` on the way to it.

    Raises OcrBackendUnusable if this process has run OpenVINO with another instruction set before.
    """
    if backend == LADDER[0]:
        faults.illegal_instruction(faults.OCR_STEP)
    return _OpenVino(path, backend, output) if backend.library == "openvino" else _OnnxRuntime(path, output)


class _OpenVino:
    def __init__(self, path: Path, backend: Backend, output: str | None) -> None:
        _limit_instructions(backend)
        # Importing OpenVINO reports to its vendor if the telemetry package is installed, which pip does by default.
        sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]
        import openvino

        options = {
            # No streams means no threads except the caller's, so that a process with a loaded model can fork.
            "NUM_STREAMS": "0",
            "INFERENCE_NUM_THREADS": "1",
            # For every width of a line it has seen, OpenVINO would keep ten megabytes. A width that comes again after
            # it was dropped takes a third longer, once.
            "CPU_RUNTIME_CACHE_CAPACITY": _SHAPES_KEPT,
            **({"INFERENCE_PRECISION_HINT": backend.precision} if backend.precision else {}),
        }
        core = openvino.Core()
        model = core.read_model(path)
        self._file = path
        self._metadata: dict[str, Any] = dict(model.get_rt_info().items()).get("framework", {})
        if output is not None:
            model = openvino.Model([model.add_outputs(output)[0]], model.get_parameters())
        self._compiled: Any = core.compile_model(model, "CPU", options)
        self._request: Any = self._compiled.create_infer_request()

    def __call__(self, values: "Values") -> "Values":
        self._request.infer([values])
        found: Values = self._request.get_output_tensor().data
        return found

    def metadata(self, key: str) -> str:
        return str(self._metadata[key].value)

    def weights(self, name: str) -> "Values":
        import numpy as np
        import openvino

        # Read again, because keeping the model would keep all of its weights.
        for node in openvino.Core().read_model(self._file).get_ops():
            if node.get_friendly_name() == name:
                return np.array(node.data, dtype=np.float32)
        raise KeyError(name)

    def release(self) -> None:
        self._compiled.release_memory()


class _OnnxRuntime:
    def __init__(self, path: Path, output: str | None) -> None:
        self._file = path
        self._outputs = None if output is None else [output]
        self._session: Any = _onnx_session(path, output)
        self._input = self._session.get_inputs()[0].name

    def __call__(self, values: "Values") -> "Values":
        found: Values = self._session.run(self._outputs, {self._input: values})[0]
        return found

    def metadata(self, key: str) -> str:
        return str(self._session.get_modelmeta().custom_metadata_map[key])

    def weights(self, name: str) -> "Values":
        import numpy as np

        smallest = np.zeros((1, 3, 48, 48), dtype=np.float32)
        found: Values = _onnx_session(self._file, name).run([name], {self._input: smallest})[0]
        return found

    def release(self) -> None:
        """It keeps nothing that grows with the page."""


def _onnx_session(path: Path, output: str | None) -> Any:
    # Not one of our dependencies; used where it is installed.
    onnxruntime: Any = import_module("onnxruntime")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    model = path.read_bytes() if output is None else path.read_bytes() + _declared(output)
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def _declared(output: str) -> bytes:
    """What, appended to an ONNX file, makes a tensor an output: in protobuf, a repeated message adds to the first."""
    content = output.encode()
    for field in (1, 12, 7):  # ValueInfoProto.name, GraphProto.output, ModelProto.graph
        content = bytes([field << 3 | 2, len(content)]) + content
    return content


_openvino_ran = False


def _limit_instructions(backend: Backend) -> None:
    """OpenVINO looks at the variable once, when the first model is compiled; f32 runs with any instruction set."""
    global _openvino_ran
    if not _openvino_ran and backend.isa is not None:
        os.environ[_ISA_VARIABLE] = backend.isa
    _openvino_ran = True
    if backend.precision is None and os.environ.get(_ISA_VARIABLE) != backend.isa:
        raise OcrBackendUnusable("OpenVINO already runs with a different instruction set in this process.")
