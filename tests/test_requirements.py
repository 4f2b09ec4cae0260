"""The page about the requirements names only tests and routes that exist, and leaves no requirement without a proof."""

import re
from pathlib import Path

import pytest

from docsieve.api.app import create_app
from docsieve.settings import Settings
from docsieve.wiring import open_resources

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "requirements.md").read_text()
ROWS = [line.strip("|").split(" | ") for line in PAGE.splitlines() if line.startswith("| ")]
REQUIREMENTS = [[cell.strip() for cell in row] for row in ROWS if row[0].strip() != "required"]
PROOF = re.compile(r"`([\w/]+\.py)::(test_\w+)`")
ROUTE = re.compile(r"`(GET|POST|PUT|PATCH|DELETE) (/api/v1/[^`]*)`")


@pytest.mark.parametrize("row", REQUIREMENTS, ids=lambda row: row[0][:60])
def test_every_requirement_is_proved_or_said_to_be_missing(row: list[str]) -> None:
    assert len(row) == 3
    proof = row[2]
    assert proof == "missing" or (PROOF.search(proof) and not PROOF.sub("", proof).strip(", ")), proof


def test_every_proof_is_a_test_of_that_file() -> None:
    proofs = PROOF.findall(PAGE)
    assert proofs
    for file, test in proofs:
        assert re.search(rf"^(async )?def {test}\(", (ROOT / "tests" / file).read_text(), re.MULTILINE), (file, test)


def test_every_route_is_in_the_openapi_document(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    paths = create_app(settings, lambda: open_resources(settings, "")).openapi()["paths"]
    there = {(method.upper(), path) for path, methods in paths.items() for method in methods}
    named = {found for _, here, _ in REQUIREMENTS for found in ROUTE.findall(here)}
    assert named
    assert named <= there
