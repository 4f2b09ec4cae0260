-- The whole schema of the first release: tables first, then functions, then triggers.
-- What a name does not say is in a `comment on` statement, so that `\d+` and db/schema.sql show it too.

create extension if not exists vector;
create extension if not exists pg_trgm;
-- puts the tenant into the trigram index of spellings, so that no search reads another tenant's entries
create extension if not exists btree_gin;


-- Tenants and access ------------------------------------------------------------------------------------------------

create table tenants (
    id uuid primary key,
    name text not null unique check (name ~ '^[a-z0-9][a-z0-9_-]{0,62}$'),
    weight double precision not null default 1 check (weight > 0),
    budget_usd numeric(14, 4) check (budget_usd >= 0),
    created_at timestamptz not null default clock_timestamp()
);
comment on column tenants.weight is 'Share of the queue relative to other tenants. See next_turn.';
comment on column tenants.budget_usd is 'Limit per calendar month on paid provider calls; null for no limit.';

create table projects (
    id uuid primary key,
    tenant_id uuid not null references tenants on delete cascade,
    name text not null check (name ~ '^[a-z0-9][a-z0-9_-]{0,62}$'),
    schema_ref text,
    engine text,
    model text,
    prompt_ref text,
    threshold double precision check (threshold between 0 and 1),
    budget_usd numeric(14, 4) check (budget_usd >= 0),
    created_at timestamptz not null default clock_timestamp(),
    unique (tenant_id, name)
);
comment on table projects is
    'The defaults (schema_ref to budget_usd) apply to documents that do not override them; null falls back to the '
    'tenant, the server settings or the schema.';

create table api_keys (
    id text primary key,
    tenant_id uuid not null references tenants on delete cascade,
    project_id uuid references projects on delete cascade,
    name text not null,
    secret_hash bytea not null,
    scopes text[] not null,
    created_at timestamptz not null default clock_timestamp(),
    expires_at timestamptz,
    revoked_at timestamptz
);
comment on column api_keys.project_id is 'If set, the key is limited to this project.';
create index api_keys_by_tenant on api_keys (tenant_id, created_at);

create table sessions (
    token_hash bytea primary key,
    key_id text not null references api_keys on delete cascade,
    created_at timestamptz not null default clock_timestamp(),
    seen_at timestamptz not null default clock_timestamp(),
    expires_at timestamptz not null
);
comment on table sessions is 'Dashboard sessions. Each acts for an API key and ends with it.';
create index sessions_by_key on sessions (key_id);

create table sign_in_links (
    token_hash bytea primary key,
    key_id text not null references api_keys on delete cascade,
    expires_at timestamptz not null
);
comment on table sign_in_links is 'One-time links that start a dashboard session.';
create index sign_in_links_by_key on sign_in_links (key_id);


-- Documents ---------------------------------------------------------------------------------------------------------

create table documents (
    id uuid primary key,
    tenant_id uuid not null,
    project_id uuid not null references projects,
    job_id uuid,
    status text not null default 'pending'
        check (status in ('pending', 'processing', 'ready', 'failed', 'cancelled')),
    error_code text,
    error_message text,
    created_at timestamptz not null default clock_timestamp(),
    updated_at timestamptz not null default clock_timestamp(),
    -- the file
    filename text not null,
    sort_name text generated always as (lower(filename)) stored,
    media_type text not null,
    size bigint not null,
    sha256 text not null,
    sealed_password bytea,
    duplicate_of uuid,
    parent_id uuid references documents on delete cascade,
    parent_path text,
    depth smallint not null default 0,
    -- what the sender asked for
    schema_ref text,
    engine text,
    reading jsonb not null default '{}',
    webhook_url text,
    metadata jsonb not null default '{}',
    -- the result of reading
    page_count integer,
    pages_key text,
    pages_failed integer,
    characters bigint,
    parser text,
    parser_version text,
    read_cached boolean,
    language text,
    class text,
    class_confidence double precision,
    read_by_job uuid,
    read_by_attempt integer,
    read_at timestamptz,
    -- copied from the newest extraction
    newest_extraction uuid,
    confidence double precision,
    needs_review boolean,
    -- the check of stored files
    files_checked_at timestamptz,
    original_damaged boolean not null default false
);
comment on column documents.job_id is 'The job whose status the document follows. See document_follows_job.';
comment on column documents.sort_name is
    'A column rather than an index expression: under row-level security an index on lower(filename) cannot be used.';
comment on column documents.duplicate_of is 'The oldest document of the tenant with the same content.';
comment on column documents.parent_id is 'The document this one was attached to.';
comment on column documents.parent_path is 'Its name inside the parent.';
comment on column documents.reading is 'Options for reading: parser, OCR engine and languages, attachments.';
comment on column documents.webhook_url is 'Stored and returned; nothing is sent to it yet.';
comment on column documents.metadata is 'JSON object of the sender, returned unchanged.';
comment on column documents.pages_key is 'Blob key of the page file.';
comment on column documents.read_by_job is
    'This job and attempt wrote the result of reading, in the transaction that completed the job.';
comment on column documents.newest_extraction is 'The newest completed extraction. See copy_newest_extraction.';
comment on column documents.files_checked_at is 'When the stored files were last compared with their checksums.';
create index documents_by_tenant on documents (tenant_id, id desc);
create index documents_by_content on documents (tenant_id, sha256);
create index documents_by_project on documents (project_id);
create index documents_by_parent on documents (parent_id) where parent_id is not null;
create index documents_by_class on documents (tenant_id, class, id desc) where class is not null;
create index documents_by_name on documents using gin (filename gin_trgm_ops);
create index documents_by_sorted_name on documents (tenant_id, sort_name, id);
create index documents_by_size on documents (tenant_id, size, id);
create index documents_by_check on documents (coalesce(files_checked_at, created_at)) where status = 'ready';
create index documents_with_damaged_original on documents (id) where original_damaged;

create table idempotency_keys (
    tenant_id uuid not null,
    key text not null,
    fingerprint text not null,
    document_id uuid not null references documents on delete cascade,
    created_at timestamptz not null default clock_timestamp(),
    primary key (tenant_id, key)
);
comment on column idempotency_keys.fingerprint is
    'Hash of the request, without its password. A second request with the key must have the same one.';
create index idempotency_keys_by_document on idempotency_keys (document_id);
create index idempotency_keys_by_age on idempotency_keys (created_at);

create table document_classes (
    tenant_id uuid not null references tenants on delete cascade,
    name text not null,
    description text not null,
    created_at timestamptz not null default clock_timestamp(),
    primary key (tenant_id, name)
);
comment on table document_classes is 'Document classes that a tenant defined, in addition to the built-in ones.';


-- The queue ---------------------------------------------------------------------------------------------------------

create table jobs (
    id uuid primary key,
    tenant_id uuid not null,
    project_id uuid,
    document_id uuid references documents on delete cascade,
    job_type text not null,
    args jsonb not null,
    queue text not null,
    priority integer not null default 0,
    turn double precision not null,
    status text not null
        check (status in ('scheduled', 'pending', 'processing', 'completed', 'failed', 'cancelled')),
    attempts integer not null default 0,
    max_attempts integer not null,
    rescues integer not null default 0,
    worker_id text,
    locked_at timestamptz,
    lock_expires_at timestamptz,
    run_at timestamptz,
    created_at timestamptz not null default clock_timestamp(),
    started_at timestamptz,
    completed_at timestamptz,
    processing_time_ms bigint,
    error_code text,
    error_message text,
    error_details jsonb,
    cancel_requested boolean not null default false,
    unique_key text,
    progress jsonb,
    stages jsonb
) with (
    fillfactor = 80,
    autovacuum_vacuum_scale_factor = 0.01,
    autovacuum_vacuum_threshold = 1000,
    autovacuum_vacuum_insert_scale_factor = 0.2,
    autovacuum_analyze_scale_factor = 0.05,
    autovacuum_vacuum_cost_delay = 0
);
comment on column jobs.turn is 'Position in the queue among jobs of the same priority. See next_turn.';
comment on column jobs.status is
    '`scheduled` waits for run_at, `pending` for a worker. The API shows both as pending.';
comment on column jobs.attempts is
    'Number of attempts started. Together with id and worker_id it is the fence of every write by a worker.';
comment on column jobs.rescues is 'How often a worker was lost while running the job.';
comment on column jobs.lock_expires_at is 'End of the lease. A job past it is rescued.';
comment on column jobs.unique_key is 'Only one unfinished job per tenant, type and key.';
comment on column jobs.progress is 'What the running attempt last reported.';
comment on column jobs.stages is 'Durations of the steps of the current attempt.';
-- Each index costs time on all three writes of a job, so each has one named use.
-- claiming: matches its order by exactly
create index jobs_ready on jobs (queue, priority desc, turn, id) where status = 'pending';
-- next_turn
create index jobs_turns on jobs (queue, tenant_id, priority, turn) where status = 'pending';
-- rescue; on the id, so that a heartbeat updates no index
create index jobs_leased on jobs (id) where status = 'processing';
-- promotion of delayed jobs
create index jobs_scheduled on jobs (run_at) where status = 'scheduled';
-- lists and counts
create index jobs_by_tenant on jobs (tenant_id, status, id desc);
create index jobs_by_document on jobs (document_id, id desc) where document_id is not null;
create unique index jobs_unique on jobs (tenant_id, job_type, unique_key)
    where unique_key is not null and status in ('scheduled', 'pending', 'processing');

create table attempts (
    job_id uuid not null references jobs on delete cascade,
    started_at timestamptz not null,
    tenant_id uuid not null,
    project_id uuid,
    attempt integer not null,
    worker_id text,
    outcome text not null
        check (outcome in ('completed', 'failed', 'retried', 'cancelled', 'rescued', 'handed_back')),
    ended_at timestamptz not null,
    error_code text,
    error_message text,
    stages jsonb not null default '[]',
    primary key (job_id, started_at)
);
comment on table attempts is 'History of the jobs of documents and extractions. Written by record_attempt only.';


-- Search ------------------------------------------------------------------------------------------------------------

create table embedders (
    id smallint generated by default as identity primary key,
    name text not null unique,
    dimensions integer not null check (dimensions between 1 and 4000),
    state text not null check (state in ('building', 'active', 'retired')),
    leased_until timestamptz,
    swept_at timestamptz,
    created_at timestamptz not null default clock_timestamp()
);
comment on table embedders is
    'One active embedder serves searches. Another may be building; it becomes active when it has embedded every chunk.';
comment on column embedders.leased_until is 'Keeps two workers from embedding at the same time.';
create unique index embedders_active on embedders (state) where state = 'active';

create table chunks (
    id bigint generated by default as identity primary key,
    tenant_id uuid not null,
    project_id uuid not null references projects on delete cascade,
    document_id uuid not null references documents on delete cascade,
    ordinal integer not null,
    page integer not null,
    heading text,
    kind text not null check (kind in ('text', 'table')),
    text text not null,
    places jsonb not null,
    stemming text not null,
    length integer not null,
    level smallint not null,
    terms integer[] not null,
    profile bytea not null
);
comment on table chunks is 'Passages of documents, the unit of search.';
comment on column chunks.places is 'Where the text is on its pages.';
comment on column chunks.stemming is 'Language whose stemmer produced the terms.';
comment on column chunks.level is
    'Random: one chunk in 16 has level 1 or more, one in 256 level 2 or more. These samples give estimates of term '
    'frequencies without a counter that all writers would share.';
comment on column chunks.terms is 'Hashes of the words, salted with the tenant.';
comment on column chunks.profile is 'How often each term occurs. BM25 is computed from profiles alone.';
-- uncompressed: otherwise scoring a thousand candidates decompresses a thousand profiles
alter table chunks alter column terms set storage external, alter column profile set storage external;
create index chunks_by_document on chunks (document_id, ordinal);
create index chunks_by_project on chunks (project_id);
create index chunks_by_stemming on chunks (tenant_id, stemming);
create index chunks_by_level on chunks (tenant_id, level) include (project_id, length);
-- every search scans the pending list, so it is kept short
create index chunks_by_term on chunks using gin (terms) with (gin_pending_list_limit = 128);
create index chunks_by_term_sampled on chunks using gin (terms) with (fastupdate = off) where level >= 1;
create index chunks_by_term_sparse on chunks using gin (terms) with (fastupdate = off) where level >= 2;

create table chunk_vectors (
    chunk_id bigint not null references chunks on delete cascade,
    embedder_id smallint not null references embedders on delete cascade,
    tenant_id uuid not null,
    project_id uuid not null,
    document_id uuid not null,
    embedding halfvec not null,
    primary key (chunk_id, embedder_id)
);
comment on table chunk_vectors is
    'Each embedder has its own partial vector index, created when the embedder is registered or built.';
create index chunk_vectors_by_tenant on chunk_vectors (tenant_id, embedder_id, project_id);
create index chunk_vectors_by_document on chunk_vectors (document_id);

create table spellings (
    tenant_id uuid not null,
    word text not null,
    term integer not null,
    since timestamptz not null default clock_timestamp()
);
comment on table spellings is
    'Words of a tenant, for searches with typos. Not unique: two jobs that meet a new word at the same time both '
    'insert it, and neither waits for the other.';
create index spellings_by_word on spellings (tenant_id, word);
create index spellings_by_trigram on spellings using gin (tenant_id, word gin_trgm_ops) with (fastupdate = off);


-- Schemas and prompts -----------------------------------------------------------------------------------------------

create table schema_heads (
    tenant_id uuid not null references tenants on delete cascade,
    name text not null check (name ~ '^[a-z0-9][a-z0-9_-]{0,62}$'),
    current_version integer not null default 0 check (current_version between 0 and newest_version),
    newest_version integer not null default 0,
    deleted_at timestamptz,
    primary key (tenant_id, name)
);
comment on table schema_heads is
    'The current version per schema name. The row is also the lock that gives two writers different version numbers. '
    'A deleted name keeps its rows: old extractions can still be explained, and no version number is used twice.';
comment on column schema_heads.current_version is '0 is the built-in version.';

create table schemas (
    tenant_id uuid not null,
    name text not null,
    version integer not null check (version > 0),
    content json not null,
    note text,
    created_at timestamptz not null default clock_timestamp(),
    created_by text,
    primary key (tenant_id, name, version),
    foreign key (tenant_id, name) references schema_heads on delete cascade
);
comment on table schemas is 'Versions of schemas. They never change: requests have no right to update them.';
comment on column schemas.content is 'json rather than jsonb, which would not keep the order of fields.';

create table prompt_heads (
    tenant_id uuid not null references tenants on delete cascade,
    name text not null check (name ~ '^[a-z0-9][a-z0-9_-]{0,62}$'),
    current_version integer not null default 0 check (current_version between 0 and newest_version),
    newest_version integer not null default 0,
    deleted_at timestamptz,
    primary key (tenant_id, name)
);
comment on table prompt_heads is 'The current version per prompt name, as schema_heads for schemas.';

create table prompts (
    tenant_id uuid not null,
    name text not null,
    version integer not null check (version > 0),
    content text not null,
    note text,
    created_at timestamptz not null default clock_timestamp(),
    created_by text,
    primary key (tenant_id, name, version),
    foreign key (tenant_id, name) references prompt_heads on delete cascade
);
comment on table prompts is 'Versions of prompts. They never change: requests have no right to update them.';


-- Extractions -------------------------------------------------------------------------------------------------------

create table extractions (
    id uuid primary key,
    tenant_id uuid not null,
    project_id uuid not null references projects,
    job_id uuid not null,
    status text not null default 'pending'
        check (status in ('pending', 'processing', 'completed', 'failed', 'cancelled')),
    document_count integer not null check (document_count > 0),
    schema_name text,
    schema_version integer,
    schema json not null,
    prompt_name text,
    prompt_version integer,
    prompt text,
    engine text not null,
    engine_version text,
    model text,
    threshold double precision not null,
    use_cache boolean not null default true,
    show text not null default 'text' check (show in ('text', 'images', 'both')),
    lessons_version integer,
    value json,
    metadata json,
    usage jsonb,
    confidence double precision,
    needs_review boolean,
    superseded boolean not null default false,
    client_metadata jsonb not null default '{}',
    error_code text,
    error_message text,
    verified_at timestamptz,
    verified_by text,
    created_at timestamptz not null default clock_timestamp(),
    completed_at timestamptz,
    written_by_job uuid,
    written_by_attempt integer,
    idempotency_key text,
    fingerprint text
);
comment on column extractions.job_id is
    'The job that performs it, whose status it follows. See extraction_follows_job.';
comment on column extractions.schema is 'The schema as it was when the extraction was started.';
comment on column extractions.threshold is 'Fields with less confidence need review.';
comment on column extractions.show is 'What a model gets to see of the pages.';
comment on column extractions.value is 'json rather than jsonb, which would not keep the order of the schema.';
comment on column extractions.metadata is 'Confidence, evidence and checks per path of the value.';
comment on column extractions.superseded is 'A newer extraction with the same schema covers all of its documents.';
comment on column extractions.written_by_job is
    'This job and attempt wrote the result, in the transaction that completed the job.';
create index extractions_by_tenant on extractions (tenant_id, id desc);
create index extractions_by_schema on extractions (tenant_id, schema_name, id desc);
create index extractions_by_project on extractions (project_id);
create index extractions_by_job on extractions (job_id);
create index extractions_verified on extractions (tenant_id, schema_name, verified_at) where verified_at is not null;
create index extractions_to_review on extractions (tenant_id, id desc) where needs_review;
create unique index extractions_by_key on extractions (tenant_id, idempotency_key) where idempotency_key is not null;

create table extraction_documents (
    extraction_id uuid not null references extractions on delete cascade,
    position integer not null,
    tenant_id uuid not null,
    project_id uuid not null,
    document_id uuid not null references documents on delete cascade,
    primary key (extraction_id, position)
);
comment on table extraction_documents is 'The documents of an extraction, in the order in which they are read.';
create index extraction_documents_by_document on extraction_documents (document_id, extraction_id desc);

create table document_fields (
    extraction_id uuid not null references extractions on delete cascade,
    ordinal integer not null,
    tenant_id uuid not null,
    project_id uuid not null,
    document_id uuid not null references documents on delete cascade,
    path text not null,
    pattern text not null,
    value jsonb,
    search text,
    confidence double precision not null,
    grounded boolean not null,
    evidence jsonb not null,
    checks jsonb not null,
    why text,
    needs_review boolean not null,
    primary key (extraction_id, ordinal)
);
comment on table document_fields is 'One row per leaf of an extraction''s value.';
comment on column document_fields.pattern is 'The path with list positions replaced by a placeholder.';
comment on column document_fields.search is
    'The value as people would type it, folded and truncated, so that an index finds equal ones.';
create index document_fields_by_document on document_fields (document_id, extraction_id);
create index document_fields_by_value on document_fields (tenant_id, search, pattern) where search is not null;
-- the review queue: lowest confidence first
create index document_fields_to_review on document_fields (tenant_id, confidence, extraction_id, ordinal)
    where needs_review;

create table corrections (
    id uuid primary key,
    tenant_id uuid not null,
    project_id uuid not null,
    extraction_id uuid not null references extractions on delete cascade,
    action text not null default 'correct' check (action in ('correct', 'accept', 'undo')),
    undoes uuid references corrections on delete cascade,
    path text not null,
    pattern text not null,
    old_value jsonb,
    new_value jsonb,
    document_id uuid references documents on delete cascade,
    page integer,
    box double precision[],
    note text,
    made_by text not null,
    made_by_name text,
    made_at timestamptz not null default clock_timestamp(),
    check ((action = 'undo') = (undoes is not null))
);
comment on table corrections is
    'What people did in review. Rows are added and never changed: undoing one adds a row that names it.';
create index corrections_by_extraction on corrections (extraction_id, id);
create unique index corrections_undone on corrections (undoes) where undoes is not null;

create table lessons (
    tenant_id uuid not null references tenants on delete cascade,
    schema_name text not null,
    version integer not null,
    engine text not null,
    engine_version text not null,
    lessons jsonb not null,
    examples integer not null,
    held_back_leaves integer not null,
    score_trained double precision not null,
    score_untrained double precision not null,
    active boolean not null,
    created_at timestamptz not null default clock_timestamp(),
    primary key (tenant_id, schema_name, version)
);
comment on table lessons is 'What an engine learned from corrections, per schema.';
comment on column lessons.held_back_leaves is 'Number of leaves that both scores were measured on.';
create unique index lessons_active on lessons (tenant_id, schema_name, engine) where active;


-- Providers ---------------------------------------------------------------------------------------------------------

create table cached_responses (
    tenant_id uuid not null references tenants on delete cascade,
    key bytea not null,
    provider text not null,
    document_ids uuid[] not null,
    body bytea not null,
    cost numeric(16, 8) not null,
    created_at timestamptz not null default clock_timestamp(),
    primary key (tenant_id, key)
);
comment on table cached_responses is
    'Cached provider responses. A response is stored in the transaction that records its cost, so that no paid call is '
    'repeated.';
comment on column cached_responses.document_ids is
    'Documents whose content it quotes. It is deleted with the first of them. See delete_responses_about_documents.';
alter table cached_responses alter column body set storage external;  -- already compressed
create index cached_responses_by_document on cached_responses using gin (document_ids) with (fastupdate = off);
create index cached_responses_by_age on cached_responses (created_at);

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
comment on table spending is
    'One row per paid call. The rows remain when a project is deleted, because they count against the budget.';
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
comment on table spending_months is 'Monthly sums of spending, so that a budget check does not add up a month of rows.';

create table spending_reservations (
    id uuid primary key,
    tenant_id uuid not null references tenants on delete cascade,
    project_id uuid not null,
    cost numeric(16, 8) not null,
    expires_at timestamptz not null
);
comment on table spending_reservations is 'Upper bounds on the cost of calls in progress, counted against the budget.';
create index spending_reservations_by_tenant on spending_reservations (tenant_id, expires_at);

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
comment on table provider_limits is
    'Limits and circuit breaker per provider:model, shared by all workers. See take_provider_slot and '
    'give_provider_slot_back.';
comment on column provider_limits.requests_until is
    'When the requests sent so far would end if they were spread evenly at requests_per_minute.';
comment on column provider_limits.tokens_until is 'The same for tokens.';
comment on column provider_limits.blocked_until is 'The provider asked to be left alone until then.';
comment on column provider_limits.opens is 'How often the breaker opened since the last success.';
comment on column provider_limits.probe is 'The lease of the one call that tests an open breaker.';

create table provider_leases (
    id uuid primary key,
    name text not null references provider_limits on delete cascade,
    expires_at timestamptz not null
);
comment on table provider_leases is 'One row per call in progress.';
create index provider_leases_by_name on provider_leases (name);


-- Functions: tenant isolation ---------------------------------------------------------------------------------------

create function scope_tenant() returns uuid language sql stable as
$$ select nullif(current_setting('docsieve.tenant_id', true), '')::uuid $$;
comment on function scope_tenant is 'The tenant of the current transaction. Row-level security shows only its rows.';

create function scope_project() returns uuid language sql stable as
$$ select nullif(current_setting('docsieve.project_id', true), '')::uuid $$;
comment on function scope_project is 'The project that the current transaction is limited to, or null.';


-- Functions: the queue ----------------------------------------------------------------------------------------------

create function next_turn(in_queue text, in_priority integer, in_tenant uuid, in_step double precision)
returns double precision
language sql stable security definer set search_path = public, pg_temp as $$
    select greatest(
        coalesce((
            select turn from jobs
            where queue = in_queue and status = 'pending' and priority = in_priority
            order by turn, id limit 1), 0),
        coalesce((
            select turn + in_step from jobs
            where queue = in_queue and status = 'pending' and priority = in_priority and tenant_id = in_tenant
            order by turn desc limit 1), 0))
$$;
comment on function next_turn is
    'The turn of a tenant''s next job: one step after the tenant''s last pending job, or the head of the queue if the '
    'tenant has none. This is start-time fair queueing without a shared counter: a tenant with a million jobs does not '
    'delay the first job of another. Runs as the owner because it compares tenants; it returns only a number.';

create function queue_position(in_job uuid, at_most integer) returns bigint
language sql stable security definer set search_path = public, pg_temp as $$
    select case when me.status = 'pending' then (
        select count(*) from (
            select 1 from jobs ahead
            where ahead.queue = me.queue and ahead.status = 'pending' and ahead.priority >= me.priority
              and (ahead.priority > me.priority or (ahead.turn, ahead.id) <= (me.turn, me.id))
            limit at_most) as counted)
    end
    from jobs me where me.id = in_job
$$;
comment on function queue_position is
    'How many jobs run before this one, itself included, counted up to a limit. Runs as the owner because it counts '
    'jobs of all tenants; it returns only a number.';


-- Functions: intake --------------------------------------------------------------------------------------------------

create function add_document(in_tenant uuid, in_document jsonb, in_job jsonb) returns documents
language plpgsql set search_path = public, pg_temp as $$
declare
    document documents;
    moment timestamptz := clock_timestamp();
begin
    insert into documents (id, tenant_id, project_id, job_id, filename, media_type, size, sha256, sealed_password,
                           duplicate_of, parent_id, parent_path, depth, schema_ref, engine, reading, webhook_url,
                           metadata, created_at, updated_at)
    values ((in_document ->> 'id')::uuid, in_tenant, (in_document ->> 'project_id')::uuid, (in_job ->> 'id')::uuid,
            in_document ->> 'filename', in_document ->> 'media_type', (in_document ->> 'size')::bigint,
            in_document ->> 'sha256', (in_document ->> 'sealed_password')::bytea,
            (select id from documents
             where tenant_id = in_tenant and sha256 = in_document ->> 'sha256' order by id limit 1),
            (in_document ->> 'parent_id')::uuid, in_document ->> 'parent_path',
            (in_document ->> 'depth')::smallint, in_document ->> 'schema_ref', in_document ->> 'engine',
            in_document -> 'reading', in_document ->> 'webhook_url', in_document -> 'metadata', moment, moment)
    returning * into document;
    insert into jobs (id, tenant_id, project_id, document_id, job_type, args, queue, priority, max_attempts, turn,
                      status)
    select document.job_id, in_tenant, document.project_id, document.id, in_job ->> 'job_type', in_job -> 'args',
           in_job ->> 'queue', (in_job ->> 'priority')::integer, (in_job ->> 'max_attempts')::integer,
           next_turn(in_job ->> 'queue', (in_job ->> 'priority')::integer, in_tenant, 1 / weight), 'pending'
    from tenants where id = in_tenant;
    return document;
end $$;
comment on function add_document is
    'Inserts a document and the job that reads it, with the job at the tenant''s next turn. The arguments are rows of '
    'documents and jobs as JSON.';

create function accept_document(
    in_tenant uuid, in_scope_project uuid, in_api_key text, in_upload jsonb,
    out project text, out metadata jsonb, out duplicate_of uuid, out created_at timestamptz)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    chosen projects;
    document documents;
begin
    perform set_config('docsieve.tenant_id', in_tenant::text, true),
            set_config('docsieve.project_id', coalesce(in_scope_project::text, ''), true);
    perform from api_keys
    where id = in_api_key and revoked_at is null and (expires_at is null or expires_at > clock_timestamp());
    if not found then
        raise exception using errcode = 'DS401', message = 'the API key was revoked or has expired';
    end if;
    select * into chosen from projects
    where tenant_id = in_tenant
      and (name = in_upload ->> 'project' or in_upload ->> 'project' is null and id = in_scope_project);
    if not found then
        return;
    end if;
    document := add_document(
        in_tenant, in_upload -> 'document' || jsonb_build_object('project_id', chosen.id), in_upload -> 'job');
    if in_upload ->> 'idempotency_key' is not null then
        -- waits for a transaction that is inserting the same key, and inserts nothing if that one commits
        insert into idempotency_keys (tenant_id, key, fingerprint, document_id)
        values (in_tenant, in_upload ->> 'idempotency_key', in_upload ->> 'fingerprint', document.id)
        on conflict do nothing;
        if not found then
            raise exception using errcode = 'DS409', message = 'this Idempotency-Key was used before';
        end if;
    end if;
    project := chosen.name;
    metadata := document.metadata;
    duplicate_of := document.duplicate_of;
    created_at := document.created_at;
end $$;
comment on function accept_document is
    'Records an upload in one round trip: checks the API key again, then adds the document, its job and its '
    'Idempotency-Key, or nothing. Returns null for project if there is no such project. Raises DS401 for an API key '
    'that is no longer valid and DS409 for an Idempotency-Key that was used before. Belongs to docsieve_app and runs '
    'as its owner, so row-level security applies to it as to any other request.';
grant create on schema public to docsieve_app;
alter function accept_document owner to docsieve_app;
revoke create on schema public from docsieve_app;


-- Functions: search --------------------------------------------------------------------------------------------------

-- Under row-level security the indexes on terms and trigrams cannot be used, because their operators are not leakproof.
-- These functions run as the owner, who may use them, and isolate tenants themselves: they answer only for the tenant
-- and project of the transaction, with numbers, ids and the tenant's own words.

create function search_statistics(
    in_tenant uuid, in_terms integer[], out total bigint, out mean_length double precision, out frequencies bigint[])
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
    own_project uuid := scope_project();
    factor integer := 256;
begin
    if in_tenant is distinct from scope_tenant() then
        return;
    end if;
    select count(*), avg(length) into total, mean_length from chunks as held
    where tenant_id = in_tenant and level >= 2 and (own_project is null or project_id = own_project);
    if total < 128 then
        factor := 16;
        select count(*), avg(length) into total, mean_length from chunks as held
        where tenant_id = in_tenant and level >= 1 and (own_project is null or project_id = own_project);
    end if;
    if total < 128 then
        factor := 1;
        select count(*), avg(length) into total, mean_length from chunks as held
        where tenant_id = in_tenant and level >= 0 and (own_project is null or project_id = own_project);
    end if;
    total := total * factor;
    frequencies := array_fill(null::bigint, array[cardinality(in_terms)]);
    if factor = 256 then
        select array_agg(case when counted >= 12 then counted * 256 end order by place) into frequencies
        from (select place, (
                select count(*) from chunks as held where terms @> array[term] and level >= 2
                and tenant_id = in_tenant and (own_project is null or project_id = own_project)) as counted
            from unnest(in_terms) with ordinality as asked (term, place)) as sampled;
    end if;
    if factor >= 16 then
        select array_agg(case when counted >= 12 then counted * 16 else known end order by place) into frequencies
        from (select place, known, case when known is null then (
                select count(*) from chunks as held where terms @> array[term] and level >= 1
                and tenant_id = in_tenant and (own_project is null or project_id = own_project)) end as counted
            from unnest(in_terms, frequencies) with ordinality as asked (term, known, place)) as sampled;
    end if;
    -- a term that the samples missed is rare, so counting stops early
    select array_agg(coalesce(known, (
            select count(*) from (
                select from chunks as held where terms @> array[term]
                and tenant_id = in_tenant and (own_project is null or project_id = own_project)
                limit case factor when 1 then 2000 else 128 end) as counted)) order by place)
    into frequencies from unnest(in_terms, frequencies) with ordinality as asked (term, known, place);
end $$;
comment on function search_statistics is
    'Number of chunks, their mean length, and in how many of them each term occurs, for BM25. Estimated from samples '
    '(chunks.level) where a tenant has many chunks.';

create function search_candidates(
    in_tenant uuid, in_any integer[], in_all integer[], in_documents uuid[], in_limit integer)
returns setof bigint
language plpgsql stable security definer rows 1000
set search_path = public, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
    own_project uuid := scope_project();
begin
    if in_documents is null then
        return query select id from chunks
        where terms && in_any and terms @> in_all
          and tenant_id = in_tenant and tenant_id = scope_tenant() and (own_project is null or project_id = own_project)
        limit in_limit;
    else
        return query select id from chunks
        where terms && in_any and terms @> in_all and document_id = any(in_documents)
          and tenant_id = in_tenant and tenant_id = scope_tenant() and (own_project is null or project_id = own_project)
        limit in_limit;
    end if;
end $$;
comment on function search_candidates is
    'Ids of chunks that contain any of one list of terms and all of another, optionally limited to documents.';

create function search_spellings(in_tenant uuid, in_words text[], in_each integer)
returns table (asked text, word text, term integer, similarity real)
language plpgsql stable security definer rows 100
set search_path = public, pg_temp set pg_trgm.similarity_threshold = 0.3 as $$
begin
    return query
    select given.asked, near.word, near.term, near.similarity
    from unnest(in_words) as given (asked) cross join lateral (
        select spellings.word, spellings.term, similarity(spellings.word, given.asked) as similarity
        from spellings
        where tenant_id = in_tenant and tenant_id = scope_tenant() and spellings.word % given.asked
        order by 3 desc limit in_each) as near;
end $$;
comment on function search_spellings is 'Words of the tenant that are spelled similarly to the given ones.';
grant execute on function search_statistics, search_candidates, search_spellings to docsieve_app;
revoke execute on function search_statistics, search_candidates, search_spellings from public;


-- Functions: provider limits -----------------------------------------------------------------------------------------

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
comment on function take_provider_slot is
    'Takes a slot for one call to a provider and returns 0, or returns the seconds to wait. The row lock on '
    'provider_limits serializes callers for the duration of this statement. Rate limits allow a burst of ten seconds.';

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
comment on function give_provider_slot_back is
    'Returns a slot with the outcome of the call. Five failures in a row, each within a minute of the one before, open '
    'the circuit breaker; each time it opens for twice as long, up to five minutes. Late failures change nothing while '
    'it is open. Returns the seconds for which a failed caller should wait; 0 after a dozen failed probes, so that '
    'work that cannot succeed comes to an end.';


-- Triggers -----------------------------------------------------------------------------------------------------------

create function document_follows_job() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
    update documents set
        status = case new.status when 'completed' then 'ready' when 'scheduled' then 'pending' else new.status end,
        error_code = case when new.status in ('failed', 'cancelled') then new.error_code end,
        error_message = case when new.status in ('failed', 'cancelled') then new.error_message end,
        updated_at = clock_timestamp()
    where id = new.document_id and job_id = new.id;
    return null;
end $$;

create trigger document_follows_job after update of status on jobs
for each row when (new.document_id is not null and new.status is distinct from old.status)
execute function document_follows_job();
comment on function document_follows_job is
    'Copies the status and error of a job to the document that follows it, in the transaction that moved the job: by a '
    'worker, a rescue or a cancellation.';

create function extraction_follows_job() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
    update extractions set
        status = case new.status when 'scheduled' then 'pending' else new.status end,
        error_code = case when new.status in ('failed', 'cancelled') then new.error_code end,
        error_message = case when new.status in ('failed', 'cancelled') then new.error_message end,
        completed_at = case when new.status in ('completed', 'failed', 'cancelled') then clock_timestamp() end
    where job_id = new.id;
    return null;
end $$;

create trigger extraction_follows_job after update of status on jobs
for each row when (new.job_type = 'extract_fields' and new.status is distinct from old.status)
execute function extraction_follows_job();
comment on function extraction_follows_job is
    'Copies the status and error of an extract_fields job to its extraction. An extraction made while reading an '
    'upload is written when it is complete and follows no job.';

create function delete_extractions_without_documents() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
    delete from extractions
    where id in (select extraction_id from deleted)
      and not exists (select from extraction_documents as remaining where remaining.extraction_id = extractions.id);
    return null;
end $$;

create trigger delete_extractions_without_documents after delete on extraction_documents
referencing old table as deleted
for each statement execute function delete_extractions_without_documents();
comment on function delete_extractions_without_documents is
    'Deletes an extraction together with the last of its documents.';

create function delete_responses_about_documents() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
    delete from cached_responses
    where document_ids && (select coalesce(array_agg(id), '{}') from deleted)
      and tenant_id in (select tenant_id from deleted);
    return null;
end $$;

create trigger delete_responses_about_documents after delete on documents
referencing old table as deleted
for each statement execute function delete_responses_about_documents();
comment on function delete_responses_about_documents is
    'Deletes cached provider responses together with their documents.';

create function record_attempt() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
    insert into attempts (job_id, started_at, tenant_id, project_id, attempt, worker_id, outcome, ended_at,
                          error_code, error_message, stages)
    values (old.id, old.started_at, old.tenant_id, old.project_id, old.attempts, old.worker_id,
            case when new.rescues > old.rescues then 'rescued'
                 when new.status in ('completed', 'failed', 'cancelled') then new.status
                 when new.attempts < old.attempts then 'handed_back'
                 else 'retried' end,
            clock_timestamp(),
            case when new.attempts >= old.attempts then new.error_code end,
            case when new.attempts >= old.attempts then new.error_message end,
            coalesce(new.stages, old.stages, '[]'))
    on conflict do nothing;
    delete from attempts
    where job_id = old.id and started_at < (
        select started_at from attempts where job_id = old.id order by started_at desc offset 49 limit 1);
    return null;
end $$;

create trigger record_attempt after update of status on jobs
for each row when (
    old.status = 'processing' and new.status <> 'processing' and old.started_at is not null
    and (new.document_id is not null or new.job_type = 'extract_fields'))
execute function record_attempt();
comment on function record_attempt is
    'Adds an attempt to the history whenever a job of a document or an extraction leaves the status `processing`, in '
    'the same transaction. Keeps the newest 50 per job: one that waits for a provider may be handed back hundreds of '
    'times.';

create function copy_newest_extraction() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
    update documents set newest_extraction = new.id, confidence = new.confidence, needs_review = new.needs_review
    where id = any(array(
            select document_id from extraction_documents where extraction_id = new.id order by document_id))
      and (newest_extraction is null or newest_extraction <= new.id);
    -- of several extractions with one schema over the same documents, only the newest is worth reviewing
    update extractions set superseded = true where id = any(array(
        select older.id from extractions as older join extraction_documents as its on its.extraction_id = older.id
        where its.document_id in (select document_id from extraction_documents where extraction_id = new.id)
          and older.id < new.id and older.status = 'completed' and not older.superseded
          and older.tenant_id = new.tenant_id and older.schema_name = new.schema_name
          and not exists (
            select from extraction_documents as others where others.extraction_id = older.id and others.document_id
                not in (select document_id from extraction_documents where extraction_id = new.id))
        order by older.id for update of older));
    return null;
end $$;

create trigger copy_newest_extraction after update of status, confidence, needs_review on extractions
for each row when (
    new.status = 'completed' and new.confidence is not null
    and (old.status is distinct from new.status or old.confidence is distinct from new.confidence
         or old.needs_review is distinct from new.needs_review))
execute function copy_newest_extraction();
comment on function copy_newest_extraction is
    'Copies confidence and needs_review of the newest completed extraction to its documents, because lists of '
    'documents are sorted and filtered by them, and marks older extractions as superseded. Rows are locked in the '
    'order of their ids, so that two extractions over the same documents do not deadlock.';
