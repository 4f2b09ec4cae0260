"""Documents for the dashboard: one that was really read, many times over, and a thick one."""

import asyncpg

# As the one document is, but for its name and age. No job stands behind them: nobody asks about settled rows.
_COPIES = """
insert into documents
select (jsonb_populate_record(null::documents, to_jsonb(original) || jsonb_build_object(
  'id', gen_random_uuid(), 'filename', 'invoice-' || number || '.pdf', 'job_id', null,
  'created_at', original.created_at - number * interval '1 minute'))).*
from documents original, generate_series(1, $2::int) number where original.id = $1::uuid
"""


async def multiply(dsn: str, document_id: str, count: int) -> None:
    connection = await asyncpg.connect(dsn)
    try:
        await connection.execute(_COPIES, document_id, count)
        await connection.execute("analyze documents")
    finally:
        await connection.close()
