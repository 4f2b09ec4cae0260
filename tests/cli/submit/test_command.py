import json
import resource
import socket
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.terminal import COMMAND, CommandLine
from tests.jobs.unpack_archive.conftest import zipped
from tests.service import Service


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "note.txt"
    path.write_text("a note\n")
    return path


def poison(folder: Path, what: str) -> Path:
    path = folder / f"{what.split()[0]}.poison"
    path.write_text(f"%POISON {what}\n")
    return path


def test_waiting_for_a_good_document_shows_it_ready_and_exits_0(docsieve: CommandLine, note: Path) -> None:
    ran = docsieve("submit", note, "--wait")
    assert (ran.code, ran.err) == (0, "")
    row = next(line for line in ran.out.splitlines() if "note.txt" in line)
    assert row.split()[1:3] == ["ready", "1"]


def test_waiting_for_a_document_that_cannot_be_read_shows_why_and_exits_1(
    docsieve: CommandLine, tmp_path: Path
) -> None:
    ran = docsieve("submit", poison(tmp_path, "segfault"), "--wait")
    assert ran.code == 1
    assert "failed" in ran.out
    assert "parser_crashed: " in ran.out
    assert "docsieve doctor" in " ".join(ran.out.split())


def test_waiting_for_an_archive_waits_for_the_documents_in_it_and_shows_them(
    docsieve: CommandLine, tmp_path: Path
) -> None:
    archive = tmp_path / "letters.zip"
    archive.write_bytes(zipped(("may/one.txt", b"The first."), ("inner.zip", zipped(("two.txt", b"The second.")))))
    ran = docsieve("submit", archive, "--wait", "--json")
    outcomes = {each["file"]: each["status"] for each in map(json.loads, ran.out.splitlines())}
    assert ran.code == 0
    assert outcomes == {
        str(archive): "unpacked",
        f"{archive}/may/one.txt": "ready",
        f"{archive}/inner.zip": "unpacked",
        f"{archive}/inner.zip/two.txt": "ready",
    }


def test_an_unsupported_type_is_rejected_with_its_code(docsieve: CommandLine, tmp_path: Path, note: Path) -> None:
    program = tmp_path / "program"
    program.write_bytes(b"\x7fELF\x00\x01")
    ran = docsieve("submit", program, note, "--json")
    outcomes = {Path(each["file"]).name: each for each in map(json.loads, ran.out.splitlines())}
    assert ran.code == 1
    assert (outcomes["program"]["status"], outcomes["program"]["code"]) == ("refused", "unsupported_type")
    assert outcomes["note.txt"]["status"] == "pending"


def test_a_directory_is_sent_with_all_below_it_but_hidden_files(docsieve: CommandLine, tmp_path: Path) -> None:
    for name in ("a.txt", "deep/er/b.txt", ".hidden.txt", ".git/config"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"the file {name}")
    (tmp_path / "deep" / "loop").symlink_to(tmp_path)
    ran = docsieve("submit", tmp_path, tmp_path / "a.txt", "--json", "--wait")
    outcomes = [json.loads(line) for line in ran.out.splitlines()]
    assert ran.code == 0
    assert sorted(each["file"] for each in outcomes) == [str(tmp_path / "a.txt"), str(tmp_path / "deep/er/b.txt")]
    assert [each["status"] for each in outcomes] == ["ready", "ready"]


def test_options_are_sent_with_the_document(docsieve: CommandLine, service: Service, note: Path) -> None:
    options = ["--schema", "invoice", "--engine", "local", "--priority", "7", "--metadata", '{"case": 7}']
    outcome = docsieve("submit", note, "--json", *options).json()
    document = service.client.get(f"/documents/{outcome['document_id']}").json()
    assert (document["schema"], document["engine"], document["metadata"]) == ("invoice", "local", {"case": 7})
    assert service.client.get(f"/jobs/{outcome['job_id']}").json()["priority"] == 7


def test_the_same_idempotency_key_gives_the_same_document(docsieve: CommandLine, note: Path) -> None:
    first, second, other = (
        docsieve("submit", note, "--json", "--idempotency-key", key).json()["document_id"] for key in ("k1", "k1", "k2")
    )
    assert first == second != other


def test_a_directory_with_an_idempotency_key_gives_each_file_one_document(
    docsieve: CommandLine, tmp_path: Path
) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(name)

    def send() -> set[str]:
        ran = docsieve("submit", tmp_path, "--json", "--idempotency-key", "folder")
        return {json.loads(line)["document_id"] for line in ran.out.splitlines()}

    first = send()
    assert len(first) == 2
    assert send() == first


class CuttingProxy:
    """Lets a connection through; cuts the first upload after the server has answered it."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.cuts = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        server = socket.create_connection(("127.0.0.1", self._target))
        uploading = threading.Event()

        def forward() -> None:
            while piece := client.recv(65536):
                if piece.startswith(b"POST"):
                    uploading.set()
                server.sendall(piece)

        threading.Thread(target=forward, daemon=True).start()
        while piece := server.recv(65536):
            if uploading.is_set() and not self.cuts:
                self.cuts += 1
                client.shutdown(socket.SHUT_RDWR)
                return
            client.sendall(piece)

    def close(self) -> None:
        self._listener.close()


@pytest.fixture
def proxy(service: Service) -> Iterator[CuttingProxy]:
    proxy = CuttingProxy(service.port)
    yield proxy
    proxy.close()


def test_an_answer_lost_on_the_way_never_makes_a_second_document(
    docsieve: CommandLine, service: Service, proxy: CuttingProxy, tmp_path: Path
) -> None:
    path = tmp_path / "sent-twice.txt"
    path.write_text("once")
    ran = docsieve("submit", path, "--json", DOCSIEVE_URL=f"http://127.0.0.1:{proxy.port}")
    stored = service.client.get("/documents", params={"name": "sent-twice"}).json()["documents"]
    assert proxy.cuts == 1
    assert ran.code == 0
    assert [document["id"] for document in stored] == [ran.json()["document_id"]]


def test_a_file_larger_than_the_memory_allowed_is_sent(service: Service, tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    with path.open("wb") as file:
        file.write(b"%POISON ok\n")
        file.truncate(512 * 1024**2)
    ran = subprocess.run(
        [*COMMAND, "submit", str(path), "--json"],
        env=service.environment,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (300 * 1024**2, 300 * 1024**2)),
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    service.client.delete(f"/documents/{json.loads(ran.stdout)['document_id']}").raise_for_status()


def test_waiting_ends_with_the_timeout_and_the_work_goes_on(
    docsieve: CommandLine, service: Service, tmp_path: Path
) -> None:
    ran = docsieve("submit", poison(tmp_path, "slow 60"), "--wait", "--timeout", "0.5", "--json")
    outcome = ran.json()
    assert (ran.code, outcome["code"]) == (1, "timeout")
    assert service.settled(outcome["document_id"])["status"] == "ready"


def test_a_terminal_shows_the_page_being_read(docsieve: CommandLine, tmp_path: Path) -> None:
    seen = docsieve.on_terminal("submit", poison(tmp_path, "slow 80"), "--wait")
    assert "reading, page " in seen
    assert " of 80" in seen
    assert "slow.poison" in seen


def test_without_a_key_the_command_says_what_to_set(docsieve: CommandLine, note: Path) -> None:
    ran = docsieve("submit", note, DOCSIEVE_API_KEY="")
    assert (ran.code, ran.out) == (2, "")
    assert "Set DOCSIEVE_API_KEY" in ran.err


def test_without_a_server_the_command_says_what_to_do(docsieve: CommandLine, note: Path) -> None:
    ran = docsieve("submit", note, DOCSIEVE_URL="http://127.0.0.1:1")
    assert (ran.code, ran.out) == (2, "")
    assert "Start `docsieve up`, or set DOCSIEVE_URL" in ran.err


def test_a_wrong_key_is_told_once_and_not_for_each_file(docsieve: CommandLine, note: Path, tmp_path: Path) -> None:
    ran = docsieve("submit", note, poison(tmp_path, "ok"), DOCSIEVE_API_KEY="ds_wrongwrong_0123456789abcdef")
    assert ran.code == 1
    assert ran.err.splitlines() == ["unauthorized: The API key is invalid, expired or revoked."]


def test_a_path_that_is_not_there_is_one_clear_line(docsieve: CommandLine, tmp_path: Path) -> None:
    ran = docsieve("submit", tmp_path / "nothing.pdf")
    assert ran.code == 1
    assert ran.err.splitlines() == [f"invalid_request: {tmp_path}/nothing.pdf is neither a file nor a directory."]
