"""Extracting fields inside a sandboxed child: page files and a schema become values with their proof.

What a task is asked and what it answers may be large, so both travel as files: `request` comes in, `output` goes out.
`documents` are, in their order, `{"id", "pages", "language", "class"}`.
"""

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from pydantic_core import from_json, to_json

from docsieve.domain.extraction import Material, Proposal
from docsieve.domain.pages import Progress
from docsieve.sandbox.analysing import stored_pages
from docsieve.sandbox.port import Report

_proposals = TypeAdapter(Proposal)


def extract_fields(arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """`request` is `{"schema", "engine", "lessons", "threshold"}`; `output` becomes a Result."""
    from docsieve.analysis.proof.results import finish
    from docsieve.engines.registry import local_engine

    materials, asked = _materials(arguments, report), _request(arguments)
    engine = local_engine(asked["engine"])
    proposal = engine.propose(materials, asked["schema"], lessons=asked["lessons"])
    proposal.usage.pages = sum(len(material.pages) for material in materials)
    report(Progress("grounding"))
    result = finish(materials, asked["schema"], proposal, engine=engine.about.name, threshold=asked["threshold"])
    _answer(arguments, asdict(result))
    return {}


def prepare_text(arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """`request` is `{"schema", "most_characters", "most_pages"}`; `output` becomes a PreparedText."""
    from docsieve.engines.llm.prepare import prepare

    materials, asked = _materials(arguments, report), _request(arguments)
    prepared = prepare(
        materials, asked["schema"], most_characters=asked["most_characters"], most_pages=asked["most_pages"]
    )
    _answer(arguments, asdict(prepared))
    return {}


def finish_fields(arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """`request` is `{"schema", "engine", "threshold", "proposal"}`; `output` becomes a Result."""
    from docsieve.analysis.proof.results import finish

    materials, asked = _materials(arguments, report), _request(arguments)
    proposal = _proposals.validate_python(asked["proposal"])
    proposal.usage.pages = sum(len(material.pages) for material in materials)
    report(Progress("grounding"))
    result = finish(materials, asked["schema"], proposal, engine=asked["engine"], threshold=asked["threshold"])
    _answer(arguments, asdict(result))
    return {}


def finish_analyses(arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """As `finish_fields`, from what a provider's models said of each document: `sources` are their answers."""
    from docsieve.analysis.proof.results import finish
    from docsieve.engines.azure.engine import AZURE_ENGINE, propose_from_analyses

    materials, asked = _materials(arguments, report), _request(arguments)
    answers = [Path(each["source"]).read_bytes() for each in arguments["sources"]]
    proposal = propose_from_analyses(answers, materials, asked["schema"])
    result = finish(materials, asked["schema"], proposal, engine=AZURE_ENGINE.name, threshold=asked["threshold"])
    _answer(arguments, asdict(result))
    return {}


def learn_fields(arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """`request` is `{"examples": [{"documents": numbers, "schema", "known", "spots", "whole"}]}`, numbers those of
    `documents`; `output` becomes a Learned."""
    from docsieve.sandbox.learning import learned

    documents = _materials(arguments, report)
    examples = _request(arguments)["examples"]
    _answer(arguments, asdict(learned(documents, examples, lambda: report(Progress("learning")))))
    return {}


def _materials(arguments: dict[str, Any], report: Callable[[Progress], None]) -> list[Material]:
    report(Progress("extracting"))
    return [
        Material(
            each["id"],
            list(stored_pages(Path(each["pages"]).read_bytes())),
            language=each.get("language"),
            document_class=each.get("class"),
        )
        for each in arguments["documents"]
    ]


def _request(arguments: dict[str, Any]) -> dict[str, Any]:
    asked: dict[str, Any] = from_json(Path(arguments["request"]).read_bytes())
    return asked


def _answer(arguments: dict[str, Any], answer: dict[str, Any]) -> None:
    Path(arguments["output"]).write_bytes(to_json(answer))
