"""What providers answered, what they cost, and how hard all workers together may press them."""

from docsieve.db.migrations.runner import run_script

revision = "0008"
down_revision = "0007"

# An answer is kept in the transaction that books its price, so that what was paid for is never asked for again.
# `document_ids` are those whose content it speaks of: it goes when one of them is deleted.
ANSWERS = """
create table kept_answers (
    tenant_id uuid not null references tenants on delete cascade,
    key bytea not null,
    provider text not null,
    document_ids uuid[] not null,
    body bytea not null,
    cost numeric(16, 8) not null,
    created_at timestamptz not null default clock_timestamp(),
    primary key (tenant_id, key)
);
alter table kept_answers alter column body set storage external;  -- it comes compressed
create index kept_answers_by_document on kept_answers using gin (document_ids) with (fastupdate = off);
create index kept_answers_by_age on kept_answers (created_at);

create function answers_go_with_their_documents() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
    delete from kept_answers
    where document_ids && (select coalesce(array_agg(id), '{}') from gone)
      and tenant_id in (select tenant_id from gone);
    return null;
end $$;

create trigger answers_go_with_their_documents after delete on documents
referencing old table as gone
for each statement execute function answers_go_with_their_documents();
"""

# The ledger has a row a call; the months are its sums, so that a budget is checked without adding up a month's rows.
# A project may be deleted: what it spent stays spent.
SPENDING = """
create table spending (
    id uuid primary key,
    tenant_id uuid not null references tenants on delete cascade,
    project_id uuid not null,
    extraction_id uuid,
    provider text not null,
    input_tokens bigint not null,
    output_tokens bigint not null,
    cached_input_tokens bigint not null,
    pages integer not null,
    cost numeric(16, 8) not null,
    created_at timestamptz not null default clock_timestamp()
);
create index spending_by_tenant on spending (tenant_id, created_at);
create index spending_by_extraction on spending (extraction_id) where extraction_id is not null;

create table spending_months (
    tenant_id uuid not null references tenants on delete cascade,
    month date not null,
    project_id uuid not null,
    provider text not null,
    calls bigint not null,
    input_tokens bigint not null,
    output_tokens bigint not null,
    cached_input_tokens bigint not null,
    pages bigint not null,
    cost numeric(16, 8) not null,
    primary key (tenant_id, month, project_id, provider)
) with (fillfactor = 70);

create table spending_reservations (
    id uuid primary key,
    tenant_id uuid not null references tenants on delete cascade,
    project_id uuid not null,
    cost numeric(16, 8) not null,
    expires_at timestamptz not null
);
create index spending_reservations_by_tenant on spending_reservations (tenant_id, expires_at);
"""

# `name` is provider:model. The two moments say until when what was taken so far is spread at the allowed rate.
LIMITS = """
create table provider_limits (
    name text primary key check (length(name) between 1 and 200),
    concurrency integer not null default 16 check (concurrency > 0),
    requests_per_minute integer check (requests_per_minute > 0),
    tokens_per_minute bigint check (tokens_per_minute > 0),
    requests_until timestamptz not null default '-infinity',
    tokens_until timestamptz not null default '-infinity',
    blocked_until timestamptz not null default '-infinity',
    failures integer not null default 0,
    failed_at timestamptz,
    opens integer not null default 0,
    open_until timestamptz,
    probe uuid
) with (fillfactor = 70);

create table provider_leases (
    id uuid primary key,
    name text not null references provider_limits on delete cascade,
    expires_at timestamptz not null
);
create index provider_leases_by_name on provider_leases (name);
"""

# Everything happens under the lock of the provider's row, which is held for this one statement.
# A burst of ten seconds' worth is allowed. Answers with 0 when the slot is taken, else with the seconds to wait.
TAKE = """
create function take_provider_slot(in_name text, in_lease uuid, in_seconds double precision, in_tokens bigint)
returns double precision
language plpgsql set search_path = public, pg_temp as $$
declare
    found provider_limits;
    moment timestamptz;
    burst interval := interval '10 s';
    probing boolean := false;
begin
    insert into provider_limits (name) values (in_name) on conflict do nothing;
    select * into found from provider_limits where name = in_name for update;
    moment := clock_timestamp();
    if found.blocked_until > moment then
        return extract(epoch from found.blocked_until - moment);
    end if;
    if found.open_until is not null then
        if found.open_until > moment then
            return extract(epoch from found.open_until - moment);
        end if;
        if exists (select from provider_leases where id = found.probe and expires_at > moment) then
            return 2;
        end if;
        probing := true;
    end if;
    delete from provider_leases where name = in_name and expires_at <= moment;
    if (select count(*) from provider_leases where name = in_name) >= found.concurrency then
        return 1;
    end if;
    if found.requests_per_minute is not null and found.requests_until > moment + burst then
        return extract(epoch from found.requests_until - moment - burst);
    end if;
    if found.tokens_per_minute is not null and found.tokens_until > moment + burst then
        return extract(epoch from found.tokens_until - moment - burst);
    end if;
    insert into provider_leases (id, name, expires_at)
    values (in_lease, in_name, moment + make_interval(secs => in_seconds));
    update provider_limits set
        requests_until = case when requests_per_minute is null then requests_until
            else greatest(requests_until, moment) + interval '1 minute' / requests_per_minute end,
        tokens_until = case when tokens_per_minute is null then tokens_until
            else greatest(tokens_until, moment) + make_interval(secs => 60.0 * in_tokens / tokens_per_minute) end,
        probe = case when probing then in_lease else probe end
    where name = in_name;
    return 0;
end $$;
"""

# Five failures in a row, none a minute after the one before, open the breaker; each time it opens for twice as long.
# While it is open, what fails late changes nothing. Answers with the seconds for which those who failed should wait;
# after a dozen probes in vain it is 0, so that work that cannot be done comes to an end.
GIVE_BACK = """
create function give_provider_slot_back(
    in_name text, in_lease uuid, in_outcome text, in_seconds double precision, in_more_tokens bigint)
returns double precision
language plpgsql set search_path = public, pg_temp as $$
declare
    found provider_limits;
    moment timestamptz;
    trips boolean;
    until timestamptz;
begin
    select * into found from provider_limits where name = in_name for update;
    delete from provider_leases where id = in_lease;
    moment := clock_timestamp();
    if found.tokens_per_minute is not null and in_more_tokens <> 0 then
        update provider_limits
        set tokens_until = tokens_until + make_interval(secs => 60.0 * in_more_tokens / tokens_per_minute)
        where name = in_name;
    end if;
    if in_outcome = 'answered' then
        update provider_limits set failures = 0, opens = 0, open_until = null, probe = null
        where name = in_name and (failures > 0 or opens > 0 or open_until is not null);
    elsif in_outcome = 'busy' then
        update provider_limits
        set blocked_until = greatest(blocked_until, moment + make_interval(secs => in_seconds)),
            open_until = null, probe = null
        where name = in_name;
    elsif in_outcome = 'failed' and (found.open_until is null or found.probe = in_lease) then
        found.failures := case when found.failed_at > moment - interval '1 minute' then found.failures else 0 end + 1;
        trips := found.open_until is not null or found.failures >= 5;
        update provider_limits set
            failures = case when trips then 0 else found.failures end,
            failed_at = moment,
            opens = opens + case when trips then 1 else 0 end,
            open_until = case when trips
                then moment + least(interval '15 s' * power(2, least(opens, 8)), interval '5 minutes') end,
            probe = null
        where name = in_name;
    elsif found.probe = in_lease then
        update provider_limits set probe = null where name = in_name;
    end if;
    if in_outcome = 'failed' then
        select open_until into until from provider_limits where name = in_name and opens <= 12;
        return coalesce(greatest(extract(epoch from until - moment), 0), 0);
    end if;
    return 0;
end $$;
"""

WALL = """
alter table {table} enable row level security;
alter table {table} force row level security;
create policy tenant_wall on {table} to docsieve_app using ({wall});
create policy system_work on {table} to docsieve_system using (true) with check (true);
grant {rights} on {table} to docsieve_app;
"""

# What one tenant does shows in how busy a provider is, so requests see nothing of it.
SYSTEM_WALL = """
alter table {table} enable row level security;
alter table {table} force row level security;
create policy system_work on {table} to docsieve_system using (true) with check (true);
"""

TENANT_WALL = "tenant_id = (select scope_tenant())"
PROJECT_WALL = """tenant_id = (select scope_tenant())
    and ((select scope_project()) is null or project_id = (select scope_project()))"""

# Answers are not a project's, because the same content is paid for once; nobody limited to a project may read them.
WALLED = {
    "kept_answers": (f"{TENANT_WALL} and (select scope_project()) is null", "select, insert, delete"),
    "spending": (PROJECT_WALL, "select, insert"),
    "spending_months": (PROJECT_WALL, "select, insert, update"),
    "spending_reservations": (PROJECT_WALL, "select, insert, delete"),
}


def upgrade() -> None:
    for part in (ANSWERS, SPENDING, LIMITS, TAKE, GIVE_BACK):
        run_script(part)
    for table, (wall, rights) in WALLED.items():
        run_script(WALL.format(table=table, wall=wall, rights=rights))
    for table in ("provider_limits", "provider_leases"):
        run_script(SYSTEM_WALL.format(table=table))
