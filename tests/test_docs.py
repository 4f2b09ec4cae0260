"""The documentation names only what exists: settings, error codes, commands, tests, files, packages and links."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest
import typer
from typer.core import TyperGroup

from docsieve import errors
from docsieve.api.routes.documents.uploads import UploadFields
from docsieve.cli.main import app
from docsieve.errors import DocsieveError
from docsieve.settings import Settings

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "docsieve"
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
OPERATIONS = (ROOT / "docs" / "operations.md").read_text()
API = (ROOT / "docs" / "api.md").read_text()
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text()

# Met by operators only, when a process starts.
OPERATOR_CODES = {"prices_invalid", "unknown_embedder"}
OPERATOR_MODULES = {"backups", "setup"}

# Not read through the settings.
OTHER_VARIABLES = {
    "DOCSIEVE_DOCUMENT_PASSWORD",
    "DOCSIEVE_FAULT",
    "DOCSIEVE_SIGNALS",
    "DOCSIEVE_WEBHOOK_SECRET",
}

_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_SPAN = re.compile(r"`([^`\n]+)`")
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_COMMENT = re.compile(r"#.*")
_DOCSIEVE = re.compile(r"(?:^|[\s/(])docsieve ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?")
_MAKE = re.compile(r"(?:^|\s)make ([a-z]+)")
_PATH = re.compile(r"[\w.-]+(?:/[\w.-]+)*\.(?:py|md|toml)|[\w.-]+(?:/[\w.-]+)+\.(?:json|sql|tsx?)")
_FOLDER = re.compile(r"(?:[a-z_]+/)+")

in_every_document = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))


def _code(text: str) -> Iterator[str]:
    """Lines of command blocks without their comments, and inline code. Blocks with a language hold no commands."""
    for block in _FENCE.findall(text):
        opening, *lines, _ = block.splitlines()
        yield from (_COMMENT.sub("", line) for line in lines if opening == "```")
    yield from _SPAN.findall(_FENCE.sub("", text))


def _anchors(text: str) -> set[str]:
    headings = _HEADING.findall(_FENCE.sub("", text))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", Settings.model_fields)
def test_every_setting_is_in_the_table_with_its_description(name: str) -> None:
    rows = [line for line in OPERATIONS.splitlines() if line.startswith(f"| `DOCSIEVE_{name.upper()}` |")]
    assert [row.split(" | ")[-1].removesuffix(" |") for row in rows] == [Settings.model_fields[name].description]


@in_every_document
def test_every_variable_named_is_a_setting(document: Path) -> None:
    named = set(re.findall(r"DOCSIEVE_[A-Z_]+", document.read_text()))
    assert named <= {f"DOCSIEVE_{name.upper()}" for name in Settings.model_fields} | OTHER_VARIABLES


def test_every_metric_is_listed() -> None:
    sources = [PACKAGE / "metrics.py", PACKAGE / "api/routes/admin/operations.py"]
    names = {name for source in sources for name in re.findall(r'"(docsieve_[a-z_]+)"', source.read_text())}
    listed = re.findall(r"^\| `(docsieve_[a-z_]+)`", OPERATIONS, re.MULTILINE)
    assert names == {name.removesuffix("_total") for name in listed}


def test_every_error_code_is_explained() -> None:
    names = {module.name for module in iter_modules(errors.__path__)} - OPERATOR_MODULES
    modules = [import_module(f"{errors.__name__}.{name}") for name in names]
    kinds = [kind for module in (errors, *modules) for kind in vars(module).values() if isinstance(kind, type)]
    codes = {kind.code for kind in kinds if issubclass(kind, DocsieveError)} - OPERATOR_CODES
    explained = {code for line in API.splitlines() if line.startswith("| `") for code in _SPAN.findall(line)}
    assert codes <= explained
    assert set(_SPAN.findall(OPERATIONS)) >= OPERATOR_CODES


def test_every_field_of_an_upload_is_explained() -> None:
    names = {field.alias or name for name, field in UploadFields.model_fields.items()}
    assert names <= set(_SPAN.findall(API))


@in_every_document
def test_every_link_leads_somewhere(document: Path) -> None:
    for target in _LINK.findall(document.read_text()):
        if target.startswith("https://"):
            continue
        path, _, anchor = target.partition("#")
        linked = document if not path else (document.parent / path)
        assert linked.exists(), target
        assert not anchor or anchor in _anchors(linked.read_text()), target


@in_every_document
def test_every_make_command_is_there(document: Path) -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert {target for line in _code(document.read_text()) for target in _MAKE.findall(line)} <= targets


@in_every_document
def test_every_docsieve_command_is_there(document: Path) -> None:
    root = typer.main.get_command(app)
    assert isinstance(root, TyperGroup)
    context = typer.Context(root)
    for line in _code(document.read_text()):
        for name, second in _DOCSIEVE.findall(line):
            command = root.get_command(context, name)
            assert command is not None, line
            if isinstance(command, TyperGroup) and second:
                assert command.get_command(context, second) is not None, line


@cache
def _tests() -> set[str]:
    sources = "\n".join(path.read_text() for path in (ROOT / "tests").rglob("test_*.py"))
    return set(re.findall(r"def (test_\w+)\(", sources))


@in_every_document
def test_every_test_named_exists(document: Path) -> None:
    named = {word for line in _code(document.read_text()) for word in re.findall(r"(?<![/\w])test_\w+(?!\.py)\b", line)}
    assert named <= _tests()


@in_every_document
def test_every_file_named_exists(document: Path) -> None:
    roots = (ROOT, PACKAGE, PACKAGE / "db" / "migrations" / "versions", ROOT / "web" / "src")
    for span in _SPAN.findall(_FENCE.sub("", document.read_text())):
        if _PATH.fullmatch(span) and not span.startswith("NNNN"):
            assert any((root / span).exists() for root in roots), span


def test_every_folder_in_the_picture_of_the_architecture_is_there() -> None:
    [picture] = [block for block in _FENCE.findall(ARCHITECTURE) if block.startswith("```mermaid")]
    named = [folder for label in re.findall(r"\[.*?\]", picture) for folder in _FOLDER.findall(label)]
    assert named
    assert [folder for folder in named if not (PACKAGE / folder).is_dir()] == []


def test_the_table_of_packages_is_the_order_that_imports_must_follow() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    [layers] = [contract["layers"] for contract in contracts if contract["type"] == "layers"]
    table = ARCHITECTURE.partition("| package | contents |\n|---|---|\n")[2].partition("\n\n")[0]
    packages = [row.removeprefix("| ").partition(" | ")[0] for row in table.splitlines()]
    assert [_SPAN.findall(row) for row in packages] == [re.split(r" [|:] ", layer) for layer in layers]
