"""Extractions to export, inserted set-based: invoices of twenty fields and three lines each."""

import json
from typing import Any
from uuid import UUID

import asyncpg

from docsieve.domain.schemas.fields import Schema

_TEXTS = (
    "invoice_number", "order_number", "customer_number", "currency", "payment_terms", "iban", "tax_number", "note",
)  # fmt: skip
_DATES = ("issue_date", "due_date", "delivery_date")
_AMOUNTS = ("net", "tax", "total", "tax_rate")
_PARTY = {"type": "object", "properties": {name: {"type": "string"} for name in ("name", "address", "vat_id")}}
SCHEMA: Schema = {
    "type": "object",
    "properties": {
        **{name: {"type": "string"} for name in _TEXTS},
        **{name: {"type": "string", "format": "date"} for name in _DATES},
        **{name: {"type": "number"} for name in _AMOUNTS},
        "paid": {"type": "boolean"},
        "seller": _PARTY,
        "buyer": _PARTY,
        "lines": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "text": {"type": "string"},
                    "quantity": {"type": "integer"},
                    "price": {"type": "number"},
                },
            },
        },
    },
}
VALUE: dict[str, Any] = {
    **{name: f"{name} 4711-A" for name in _TEXTS},
    **dict.fromkeys(_DATES, "2025-03-14"),
    **dict.fromkeys(_AMOUNTS, 1234.56),
    "paid": True,
    "seller": {"name": "Bäckerei Müller & Söhne", "address": "Hauptstraße 7, 79098 Freiburg", "vat_id": "DE123456789"},
    "buyer": {"name": "Example Ltd", "address": "1 High Street, Leeds LS1 4AP", "vat_id": None},
    "lines": [{"text": f"Article {number}", "quantity": number, "price": 9.5} for number in (1, 2, 3)],
}


async def insert(connection: "asyncpg.Connection[asyncpg.Record]", count: int) -> None:
    """One document and `count` completed extractions of it, of the default tenant."""
    tenant_id, project_id = await connection.fetchrow(  # type: ignore[misc]
        "select tenant_id, id from projects order by created_at limit 1"
    )
    document_id: UUID = await connection.fetchval("select id from documents limit 1")
    await connection.execute(
        """
        insert into extractions (id, tenant_id, project_id, job_id, status, document_count, schema_name, schema_version,
            schema, engine, engine_version, threshold, value, metadata, confidence, needs_review)
        select gen_random_uuid(), $1, $2, gen_random_uuid(), 'completed', 1, 'bench', 1, $3::json, 'local', '1', 0.7,
            replace($4, '4711', number::text)::json, '{}'::json, 0.9, false
        from generate_series(1, $5::int) as number
        """,
        tenant_id,
        project_id,
        json.dumps(SCHEMA),
        json.dumps(VALUE, ensure_ascii=False),
        count,
        timeout=600,
    )
    await connection.execute(
        """
        insert into extraction_documents (tenant_id, extraction_id, project_id, document_id, position)
        select tenant_id, id, project_id, $1, 1 from extractions
        where not exists (select from extraction_documents as its where its.extraction_id = extractions.id)
        """,
        document_id,
        timeout=600,
    )
    await connection.execute("analyze extractions, extraction_documents", timeout=600)
