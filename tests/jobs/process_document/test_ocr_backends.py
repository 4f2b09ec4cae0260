"""A machine on which the first OCR backend dies of an illegal instruction, through the real service."""

from collections.abc import Callable
from io import BytesIO

import httpx

from docsieve import faults
from docsieve.pipelines.ocr_choice import Choice, Probed, remember
from tests.parsers.image.samples import text_image
from tests.service import Service, reserve_port


def scan() -> bytes:
    content = BytesIO()
    text_image(["Invoice 4711"], size=(360, 160)).save(content, "PNG")
    return content.getvalue()


def shown_backends(port: int) -> list[str]:
    lines = httpx.get(f"http://127.0.0.1:{port}/metrics").text.splitlines()
    return [line for line in lines if line.startswith("docsieve_ocr_backend_info{")]


def test_a_scan_whose_reader_dies_by_sigill_is_read_in_the_same_attempt(
    start_service: Callable[..., Service],
) -> None:
    service = start_service(DOCSIEVE_SHUTDOWN_SECONDS="5", DOCSIEVE_MAX_ATTEMPTS="1")
    data = service.folder / "data"
    data.mkdir(exist_ok=True)
    remember(data, Choice([Probed("openvino", 0.1), Probed("openvino-f32", 0.2)]))
    service.api()
    with reserve_port() as reserved:
        port: int = reserved.getsockname()[1]
    service.run("worker", f"--metrics-port={port}", **{faults.VARIABLE: faults.OCR_STEP})

    document_id = service.upload(scan(), "scan.png").json()["id"]
    state = service.settled(document_id)

    assert (state["status"], state["job"]["attempts"]) == ("ready", 1), service.logs()[-3000:]
    assert service.client.get(f"/documents/{document_id}/text").json()["text"] == "Invoice 4711"
    [shown] = shown_backends(port)
    assert shown.startswith('docsieve_ocr_backend_info{backend="openvino-') and shown.endswith(" 1.0")
    log = service.logs()
    assert "ocr_reader_died" in log and "ocr_backend_chosen" in log
