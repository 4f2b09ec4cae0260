"""`unshare --net python -m tests.outgoing FOLDER`: the service with no way out, and what it tried to send.

In the new network namespace, every address in the world leads to the loopback, where a connection is refused and
seen. The service reads a scan and extracts from it; then the same scan is read without the sandbox, which would hide
an attempt. At the end this process connects to the outside itself, to show that it would have been seen.
"""

import json
import socket
import sys
import threading
from ipaddress import ip_address
from pathlib import Path

from docsieve.parsers.image.format import IMAGE
from tests.namespaces import lead_everything_to_the_loopback
from tests.native import pages_of
from tests.service import Service, poll_until

SAMPLE = Path(__file__).parents[1] / "src/docsieve/samples/receipt-harbour-market.jpg"
OUTSIDE = "192.0.2.1"  # reserved for documentation
_ALL_PROTOCOLS = 3
_IPV4, _IPV6 = 0x0800, 0x86DD


class Seen:
    """Where packets went that left for anything but this machine."""

    def __init__(self) -> None:
        self.addresses: list[str] = []
        self._wire = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(_ALL_PROTOCOLS))
        self._wire.bind(("lo", 0))
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        while True:
            packet, (_, protocol, *_) = self._wire.recvfrom(65_536)
            target = {_IPV4: packet[16:20], _IPV6: packet[24:40]}.get(protocol)
            if target is not None and not ip_address(target).is_loopback:
                self.addresses.append(str(ip_address(target)))


def extracted(service: Service) -> list[str]:
    """The names of the fields that were found in the scan."""
    document_id = service.upload(SAMPLE.read_bytes(), SAMPLE.name, schema="receipt").raise_for_status().json()["id"]
    state = service.settled(document_id, seconds=240)
    assert state["status"] == "ready", state
    fields = service.client.get(f"/documents/{document_id}/fields").raise_for_status().json()["fields"]
    return [field["path"] for field in fields if field["value"] is not None]


def connect_outside() -> str:
    try:
        socket.create_connection((OUTSIDE, 443), timeout=30).close()
    except OSError as error:
        return type(error).__name__
    return "connected"


def main() -> None:
    lead_everything_to_the_loopback()
    seen = Seen()
    service = Service(Path(sys.argv[1]), {"DOCSIEVE_WORKER_PROCESSES": "1"})
    try:
        service.wait_ready(service.run("up"))
        fields = extracted(service)
    finally:
        service.stop()
    read = pages_of(IMAGE, SAMPLE)
    attempted = list(seen.addresses)
    refused = connect_outside()
    poll_until(lambda: OUTSIDE in seen.addresses, what="our own attempt was seen")
    print(json.dumps({"fields": fields, "lines": len(read[0].lines), "attempted": attempted, "refused": refused}))


if __name__ == "__main__":
    main()
