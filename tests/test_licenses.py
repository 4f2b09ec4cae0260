"""The check of licenses in `make lint`, on packages that are installed into a folder."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from deploy.licenses import RULES, Review, Rules, is_allowed, node_problems, python_problems

ROOT = Path(__file__).parents[1]


def problems(folder: Path, *metadata: str, library: str = "", rules: Rules = RULES, locked: str = "1.0") -> str:
    """The findings about one package `thing`, version 1.0, whose wheel holds a library."""
    info = folder / "thing-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("\n".join(["Metadata-Version: 2.4", "Name: thing", "Version: 1.0", *metadata]))
    (info / "RECORD").write_text(f"thing.libs/{library or 'notes.txt'},,\n")
    lock = folder / "requirements.lock"
    lock.write_text(f"thing=={locked} \\\n    --hash=sha256:00\n    # via docsieve\n")
    return "\n".join(python_problems(lock, rules, [str(folder)]))


@pytest.mark.parametrize(
    "metadata",
    [
        ["License-Expression: Apache-2.0 AND MIT"],
        ["License: BSD-3-Clause"],
        ["Classifier: License :: OSI Approved :: MIT License"],
    ],
)
def test_a_permissive_package_is_fine(tmp_path: Path, metadata: list[str]) -> None:
    assert problems(tmp_path, *metadata) == ""


@pytest.mark.parametrize(
    "metadata",
    [
        ["License-Expression: GPL-2.0-or-later"],
        ["License-Expression: MIT AND AGPL-3.0-only"],
        ["License: GPLv3"],
        ["Classifier: License :: OSI Approved :: GNU General Public License v3 (GPLv3)"],
        ["License: MIT", "Classifier: License :: OSI Approved :: GNU Affero General Public License v3"],
    ],
)
def test_a_package_under_the_gpl_is_not_allowed(tmp_path: Path, metadata: list[str]) -> None:
    assert "not allowed" in problems(tmp_path, *metadata)


def test_an_unknown_license_is_not_allowed(tmp_path: Path) -> None:
    assert "'Our own terms', which is not allowed" in problems(tmp_path, "License: Our own terms")


def test_a_package_must_state_a_license(tmp_path: Path) -> None:
    assert problems(tmp_path, "Summary: none") == "thing states no license."


@pytest.mark.parametrize(
    ("library", "problem"),
    [
        ("libx265-4883ecb5.so.217", "thing bundles libx265.so.217, which is under 'GPL-2.0-or-later'."),
        ("libssl-81259c47.so.1.1.1k", "thing bundles libssl.so.1.1.1k: OpenSSL 1 has had no security fixes"),
        ("libcrypto-5409cd36.so.1.1.1k", "thing bundles libcrypto.so.1.1.1k: OpenSSL 1"),
        ("libjbig-2504a0c3.so.2.1", "thing bundles libjbig.so.2.1, which is under 'GPL-2.0-or-later'."),
        ("libnew.so.1", "thing bundles libnew.so.1, whose license is not listed."),
    ],
)
def test_what_a_wheel_bundles_counts_whatever_its_metadata_states(tmp_path: Path, library: str, problem: str) -> None:
    assert problems(tmp_path, "License-Expression: MIT", library=library).startswith(problem)


def test_a_shared_library_under_the_lgpl_is_fine(tmp_path: Path) -> None:
    assert problems(tmp_path, "License-Expression: MIT", library="libheif-e72ea93c.so.1.23.6") == ""


def test_an_exception_is_for_one_library_of_one_package(tmp_path: Path) -> None:
    rules = replace(RULES, exceptions={"thing: libjbig": "why"})

    assert problems(tmp_path, "License: MIT", library="libjbig-2504a0c3.so.2.1", rules=rules) == ""


def test_a_package_under_the_lgpl_is_reviewed_first(tmp_path: Path) -> None:
    stated = "LGPL-3.0-or-later"
    reviewed = replace(RULES, packages={"thing": Review(stated, stated, "a shared library")})
    (tmp_path / "before").mkdir()
    (tmp_path / "after").mkdir()

    assert "not allowed" in problems(tmp_path / "before", f"License-Expression: {stated}")
    assert problems(tmp_path / "after", f"License-Expression: {stated}", rules=reviewed) == ""


def test_a_review_ends_when_the_package_states_something_else(tmp_path: Path) -> None:
    rules = replace(RULES, packages={"thing": Review("MIT", "MIT", "as its text says")})

    found = problems(tmp_path, "License-Expression: GPL-3.0-only", rules=rules)

    assert found == "thing states 'GPL-3.0-only', but was reviewed when it stated 'MIT'."


def test_a_review_cannot_allow_the_gpl(tmp_path: Path) -> None:
    rules = replace(RULES, packages={"thing": Review("GPL-3.0-only", "GPL-3.0-only", "please")})

    assert "not allowed" in problems(tmp_path, "License-Expression: GPL-3.0-only", rules=rules)


def test_installed_versions_must_match_the_lock_file(tmp_path: Path) -> None:
    assert problems(tmp_path, "License: MIT", locked="2.0") == "thing 1.0 is installed, but 2.0 is locked."


def test_packages_that_are_not_installed_must_be_listed(tmp_path: Path) -> None:
    lock = tmp_path / "requirements.lock"
    lock.write_text("other==1.0\n")

    assert list(python_problems(lock, RULES, [])) == ["other is not installed here, so its license is not known."]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("MIT", True),
        ("GPL-2.0-only OR MIT", True),
        ("MIT AND GPL-2.0-only", False),
        ("MIT AND (GPL-2.0-only OR ISC)", True),
        ("(MIT OR ISC) AND GPL-2.0-only", False),
        ("MIT OR ISC AND GPL-2.0-only", True),
        ("GPL-3.0-or-later WITH GCC-exception-3.1", True),
        ("GPL-3.0-or-later", False),
        ("MIT ISC", False),
        ("(MIT", False),
        ("", False),
    ],
)
def test_an_expression_is_allowed_if_what_it_offers_is(expression: str, expected: bool) -> None:
    assert is_allowed(expression, RULES.reviewed) is expected


def test_packages_of_the_dashboard_are_checked_unless_they_only_build_it(tmp_path: Path) -> None:
    lock = tmp_path / "package-lock.json"
    packages = {
        "": {"license": "none of ours"},
        "node_modules/good": {"license": "MIT"},
        "node_modules/bad": {"license": "GPL-3.0"},
        "node_modules/silent": {},
        "node_modules/tool": {"license": "GPL-3.0", "dev": True},
    }
    lock.write_text(json.dumps({"packages": packages}))

    assert [problem.split()[0] for problem in node_problems(lock)] == ["bad", "silent"]


def test_only_locked_packages_are_reviewed_or_excepted() -> None:
    locks = "\n".join(path.read_text() for path in ROOT.glob("requirements*.lock"))
    locked = set(re.findall(r"^([\w.-]+)==", locks, re.MULTILINE))

    assert {*RULES.packages, *(exception.partition(":")[0] for exception in RULES.exceptions)} <= locked
