"""Tests are found by the name of the package or folder they test."""

from pathlib import Path

TESTS = Path(__file__).parent
PACKAGE = TESTS.parent / "src" / "docsieve"

WHOLE_PRODUCT = {"acceptance", "corpora", "documentation", "faults", "web"}
PARTS = {
    "emulators": "object stores that tests of several packages use",
    "engine_plugin": "installed as a plugin",
    "poison_plugin/docsieve_poison": "installed as a plugin",
    "llm/protocols": "what providers speak",
}
ALLOWED_SIBLINGS = 17


def _folders() -> list[Path]:
    found = (path.parent for path in TESTS.rglob("*.py"))
    return sorted({folder.relative_to(TESTS) for folder in found} - {Path()})


def test_every_folder_of_tests_is_named_after_what_it_tests() -> None:
    others = {
        str(folder)
        for folder in _folders()
        if folder.parts[0] not in WHOLE_PRODUCT and str(folder) not in PARTS and not _is_tested(folder)
    }
    assert others == set()


def _is_tested(folder: Path) -> bool:
    """A package, a module with tests enough for a folder, or a folder next to the package."""
    module = (PACKAGE / folder).with_suffix(".py")
    return (PACKAGE / folder).is_dir() or module.is_file() or (TESTS.parent / folder).is_dir()


def test_no_folder_of_tests_is_too_full_to_be_looked_through() -> None:
    full = {str(folder): len(list((TESTS / folder).glob("*.py"))) for folder in _folders()}
    assert {name: count for name, count in full.items() if count > ALLOWED_SIBLINGS} == {}
