"""Documents for the dashboard: one that was really read, many times over, and a thick one."""

import asyncpg

# As the one document is, but for its name and age. No job stands behind them: nobody asks about settled rows.
_COPIES = """
insert into documents ({columns})
select {columns} from (
  select (jsonb_populate_record(null::documents, to_jsonb(original) || jsonb_build_object(
    'id', uuidv7(number * interval '-1 minute'), 'filename', 'invoice-' || number || '.pdf', 'job_id', null,
    'created_at', original.created_at - number * interval '1 minute'))).*
  from documents original, generate_series(1, $2::int) number where original.id = $1::uuid) as copies
"""
_COLUMNS = """
select string_agg(column_name, ', ') from information_schema.columns
where table_name = 'documents' and table_schema = 'public' and is_generated = 'NEVER'
"""


async def multiply(dsn: str, document_id: str, count: int) -> None:
    connection = await asyncpg.connect(dsn)
    try:
        columns = await connection.fetchval(_COLUMNS)
        await connection.execute(_COPIES.format(columns=columns), document_id, count)
        await connection.execute("analyze documents")
    finally:
        await connection.close()
