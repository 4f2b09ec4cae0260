"""The recipe of a cascade: the local engine, then a stronger one for what is weak, then both together on the page."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from docsieve.domain.extraction import Proposal, Result
from docsieve.domain.schemas.fields import Schema, fields_of
from docsieve.engines.llm.cascade import combined, sub_schema, weak_patterns

Stronger = Callable[[Schema], Awaitable[Proposal]]
Finish = Callable[[Proposal], Awaitable[Result]]
Estimate = Callable[[Schema], float]
"""About what asking the stronger engine to fill a schema costs for these documents, in US dollars."""


@dataclass(frozen=True, slots=True)
class Cascade:
    """`document_ids` are in the extraction's order."""

    schema: Schema
    document_ids: Sequence[str]
    stronger: Stronger
    finish: Finish
    estimate: Estimate

    async def improve(self, local: Result) -> Result:
        """The local result as it is where it is sure of all; else what both engines say, finished anew.

        `usage.saved` is what asking for everything would have cost more than what was asked for.
        """
        asked = weak_patterns(self.schema, local)
        whole = self.estimate(self.schema)
        if not asked:
            return self._told(local, asked, saved=whole)
        wanted = self.schema if len(asked) == len(fields_of(self.schema)) else sub_schema(self.schema, asked)
        said = await self.stronger(wanted)
        proposal = combined(self.schema, local, said, asked, self.document_ids)
        finished = await self.finish(proposal)
        return self._told(replace(finished, usage=proposal.usage), asked, saved=whole - self.estimate(wanted))

    def _told(self, result: Result, asked: Sequence[str], *, saved: float) -> Result:
        usage = result.usage
        told = {"asked": list(asked), "fields": len(fields_of(self.schema))}
        details = {**usage.details, "cascade": told}
        return replace(result, usage=replace(usage, saved=round(usage.saved + max(saved, 0.0), 9), details=details))
