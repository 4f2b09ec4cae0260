"""Sessions of the dashboard and the one-time links that begin one; of both only a hash of the secret is kept.

Each acts for an API key and ends with it. Requests become a tenant's role only after their session was found, so that
role sees nothing of either.
"""

from docsieve.db.migrations.runner import run_script

revision = "0009"
down_revision = "0008"

SESSIONS = """
create table sessions (
    token_hash bytea primary key,
    key_id text not null references api_keys on delete cascade,
    created_at timestamptz not null default clock_timestamp(),
    seen_at timestamptz not null default clock_timestamp(),
    expires_at timestamptz not null
);
create index sessions_by_key on sessions (key_id);

create table sign_in_links (
    token_hash bytea primary key,
    key_id text not null references api_keys on delete cascade,
    expires_at timestamptz not null
);
create index sign_in_links_by_key on sign_in_links (key_id);
"""

SYSTEM_WALL = """
alter table {table} enable row level security;
alter table {table} force row level security;
create policy system_work on {table} to docsieve_system using (true) with check (true);
"""


def upgrade() -> None:
    run_script(SESSIONS)
    for table in ("sessions", "sign_in_links"):
        run_script(SYSTEM_WALL.format(table=table))
