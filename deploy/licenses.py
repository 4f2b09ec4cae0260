"""Checks that every installed package has an allowed license: `python -m deploy.licenses`.

It needs no network. A package's license comes from its installed metadata, or from `licenses.toml` after a review. A
wheel may also contain shared libraries by other authors, which its metadata does not mention; each must be listed with
its license. Unknown licenses are not allowed. Statically linked libraries cannot be detected.
"""

import json
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from importlib.metadata import Distribution, DistributionFinder, MetadataPathFinder
from pathlib import Path, PurePosixPath

_ROOT = Path(__file__).parents[1]
_LOCKED = re.compile(r"^([\w.-]+)==(\S+)", re.MULTILINE)
_SHARED_LIBRARY = re.compile(r"^lib(?!.*\.(?:cpython|abi3)).+\.(?:so(?:\.[\w.]+)?|dylib)$")
# What auditwheel puts into the name of a library that it bundles.
_HASH = re.compile(r"-[0-9a-f]{8}(?=[-.])")
_PART = re.compile(r"\(|\)|[^\s()]+(?:\s+WITH\s+[^\s()]+)?")
_CLASSIFIER = "License :: OSI Approved :: "
_LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class Review:
    """`stated` is what the metadata said at the time. When it says something else, a new review is due."""

    stated: str
    license: str
    reason: str


@dataclass(frozen=True, slots=True)
class Rules:
    """`names` gives the SPDX identifiers of what metadata calls licenses. `exceptions` are `package: library`.

    `allowed` licenses are so wherever they are stated; `reviewed` adds those whose use must be looked at first.
    """

    allowed: frozenset[str]
    reviewed: frozenset[str]
    names: dict[str, str]
    packages: dict[str, Review]
    libraries: dict[str, str]
    outdated: dict[str, str]
    exceptions: dict[str, str]

    @classmethod
    def read(cls, path: Path) -> "Rules":
        found = tomllib.loads(path.read_text())
        return cls(
            allowed=frozenset(found["allowed"]),
            reviewed=frozenset(found["allowed"]) | frozenset(found["after_review"]),
            names=found["names"],
            packages={name: Review(**review) for name, review in found["packages"].items()},
            libraries=found["libraries"],
            outdated=found["outdated"],
            exceptions=found["exceptions"],
        )


RULES = Rules.read(Path(__file__).with_suffix(".toml"))


def main() -> int:
    locks = [_ROOT / f"requirements{part}.lock" for part in ("", "-dev", "-model", "-uv")]
    found = {problem for lock in locks for problem in python_problems(lock)}
    found.update(node_problems(_ROOT / "web" / "package-lock.json"))
    for problem in sorted(found):
        print(problem, file=sys.stderr)
    print(f"Licenses: {len(found)} problems, {len(RULES.exceptions)} exceptions ({', '.join(RULES.exceptions)})")
    return 1 if found else 0


def python_problems(lock: Path, rules: Rules = RULES, path: list[str] = sys.path) -> Iterator[str]:
    """Problems of the packages of a lock file, which are installed on `path`."""
    versions: dict[str, set[str]] = {}
    for name, version in _LOCKED.findall(lock.read_text()):
        versions.setdefault(name, set()).add(version)
    for name in sorted(versions):
        installed = _installed(name, path)
        if installed is None and name not in rules.packages:
            yield f"{name} is not installed here, so its license is not known."
        elif installed is not None and installed.version not in versions[name]:
            yield f"{name} {installed.version} is installed, but {' or '.join(sorted(versions[name]))} is locked."
        else:
            yield from _package_problems(name, installed, rules)


def node_problems(lock: Path, rules: Rules = RULES) -> Iterator[str]:
    """Problems of the packages that become part of the dashboard."""
    for place, package in json.loads(lock.read_text())["packages"].items():
        stated = package.get("license", "")
        if place and not package.get("dev") and not is_allowed(stated, rules.allowed):
            yield f"{place.removeprefix('node_modules/')} (npm) is under {stated!r}, which is not allowed."


def is_allowed(expression: str, allowed: frozenset[str]) -> bool:
    """Whether an SPDX expression such as `MIT OR (GPL-2.0-only AND ISC)` can be met with licenses that are allowed."""
    parts = [" ".join(part.split()) for part in _PART.findall(expression)]

    def either() -> bool:
        found = both()
        while parts[:1] == ["OR"]:
            parts.pop(0)
            found = both() or found
        return found

    def both() -> bool:
        found = one()
        while parts[:1] == ["AND"]:
            parts.pop(0)
            found = one() and found
        return found

    def one() -> bool:
        if parts[:1] != ["("]:
            return bool(parts) and parts.pop(0) in allowed
        parts.pop(0)
        found = either()
        return bool(parts) and parts.pop(0) == ")" and found

    return either() and not parts


def _installed(name: str, path: list[str]) -> Distribution | None:
    return next(iter(MetadataPathFinder.find_distributions(DistributionFinder.Context(name=name, path=path))), None)


def _package_problems(name: str, installed: Distribution | None, rules: Rules) -> Iterator[str]:
    stated = _stated(installed) if installed is not None else []
    review = rules.packages.get(name)
    if review is None:
        licenses, allowed = [rules.names.get(each, each) for each in stated], rules.allowed
    else:
        licenses, allowed = [review.license], rules.reviewed
        if installed is not None and review.stated != ", ".join(stated):
            yield f"{name} states {', '.join(stated)!r}, but was reviewed when it stated {review.stated!r}."
    if not licenses:
        yield f"{name} states no license."
    for each in licenses:
        if not is_allowed(each, allowed):
            yield f"{name} is under {each!r}, which is not allowed."
    for library in sorted(_libraries(installed)) if installed is not None else ():
        yield from _library_problems(name, library, rules)


def _stated(installed: Distribution) -> list[str]:
    def values(key: str) -> list[str]:
        return [" ".join(value.split()) for value in installed.metadata.get_all(key) or []]

    if expressions := values("License-Expression"):
        return expressions
    classifiers = [each.removeprefix(_CLASSIFIER) for each in values("Classifier") if each.startswith(_CLASSIFIER)]
    # Some put the whole text of the license there.
    names = [each for each in values("License") if each and len(each) <= _LONGEST_NAME]
    return list(dict.fromkeys(classifiers + names))


def _libraries(installed: Distribution) -> set[str]:
    names = (PurePosixPath(str(file)).name for file in installed.files or [])
    return {_HASH.sub("", name) for name in names if _SHARED_LIBRARY.match(name)}


def _library_problems(package: str, library: str, rules: Rules) -> Iterator[str]:
    known = next((found for pattern, found in rules.libraries.items() if fnmatch(library, pattern)), None)
    outdated = next((reason for pattern, reason in rules.outdated.items() if fnmatch(library, pattern)), None)
    if outdated is not None:
        yield f"{package} bundles {library}: {outdated}"
    elif known is None:
        yield f"{package} bundles {library}, whose license is not listed."
    elif not is_allowed(known, rules.reviewed) and f"{package}: {library.partition('.')[0]}" not in rules.exceptions:
        yield f"{package} bundles {library}, which is under {known!r}."


if __name__ == "__main__":
    sys.exit(main())
