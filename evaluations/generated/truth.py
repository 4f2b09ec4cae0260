"""The truth of a generated document: for each property of a schema, the fact that is printed, or null."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docsieve.domain.schemas.ready import READY
from evaluations.generated.compose import Draft, FactKey
from evaluations.generated.marks import plain


@dataclass(frozen=True, slots=True)
class Asked:
    """A schema and the facts that answer it.

    A property has the fact or the rows of its name, or of `path_to_it`, unless `sources` says otherwise: a name, a list
    of names of which the first that is shown counts, or for a list its items, each a name or a table of names. `text
    title` is the wording of that text, which every layout prints.
    `unjudged` paths have no truth: they are printed, but no two readers would return the same words.
    """

    schema: Mapping[str, Any]
    sources: Mapping[str, Any]
    unjudged: Sequence[str] = ()

    def truth(self, draft: Draft) -> dict[str, Any]:
        return self._object(draft, self.schema, "")

    def printed(self, draft: Draft) -> Iterator[tuple[str, FactKey]]:
        """The paths of values that are a printed fact, with that fact."""
        return self._printed(draft, self.schema, "", "")

    def _printed(self, draft: Draft, schema: Mapping[str, Any], path: str, step: str) -> Iterator[tuple[str, FactKey]]:
        if schema["type"] == "object":
            for name, part in schema["properties"].items():
                inner = f"{step}_{name}" if step else name
                if inner not in self.unjudged:
                    yield from self._printed(draft, part, f"{path}.{name}" if path else name, inner)
            return
        source = self.sources.get(step, step)
        if schema["type"] != "array":
            if name := next((each for each in _listed(source) if each in draft.shown), None):
                yield path, ("", 0, name)
        elif isinstance(source, str):
            shown = draft.shown_rows.get(source, set())
            for at, row in enumerate(draft.rows[source] if schema["items"]["type"] == "object" and shown else ()):
                for name in schema["items"]["properties"]:
                    if name in row and name in shown and f"{step}_{name}" not in self.unjudged:
                        yield f"{path}[{at}].{name}", (source, at, name)

    def _object(self, draft: Draft, schema: Mapping[str, Any], path: str) -> dict[str, Any]:
        steps = {name: f"{path}_{name}" if path else name for name in schema["properties"]}
        return {
            name: self._value(draft, schema["properties"][name], step)
            for name, step in steps.items()
            if step not in self.unjudged
        }

    def _value(self, draft: Draft, schema: Mapping[str, Any], path: str) -> Any:
        if schema["type"] == "object":
            return self._object(draft, schema, path)
        source = self.sources.get(path, path)
        if schema["type"] != "array":
            if isinstance(source, str) and source.startswith("text "):
                return plain(draft.text(source.removeprefix("text ")))
            return next((draft.facts[name].truth for name in _listed(source) if name in draft.shown), None)
        if isinstance(source, list):
            return [item for each in source if (item := _item(draft, each)) is not None]
        return self._rows(draft, schema["items"], source, path)

    def _rows(self, draft: Draft, item: Mapping[str, Any], source: str, path: str) -> list[Any]:
        shown = draft.shown_rows.get(source, set())
        rows = draft.rows[source] if shown else []
        if item["type"] != "object":
            return [fact.truth for row in rows for name, fact in row.items() if name in shown]
        names = [name for name in item["properties"] if f"{path}_{name}" not in self.unjudged]
        return [{name: row[name].truth if name in shown else None for name in names} for row in rows]


def asked(kind: Mapping[str, Any]) -> Asked:
    """What the kind is measured with: the schema that a user wrote, or else the built-in one."""
    if "schema" not in kind:
        return ready(kind)
    return Asked({"type": "object", **kind["schema"]}, kind.get("truth", {}))


def has_ready(kind: Mapping[str, Any]) -> bool:
    return {"ready", "schema"} <= kind.keys()


def ready(kind: Mapping[str, Any]) -> Asked:
    given = kind["ready"]
    return Asked(READY[given["schema"]], given.get("truth", {}), given.get("unjudged", ()))


def _listed(source: str | list[str]) -> list[str]:
    return [source] if isinstance(source, str) else source


def _item(draft: Draft, source: str | Mapping[str, str]) -> Any:
    if isinstance(source, str):
        return draft.facts[source].truth if source in draft.shown else None
    if not draft.shown.intersection(source.values()):
        return None
    return {name: draft.facts[fact].truth if fact in draft.shown else None for name, fact in source.items()}
