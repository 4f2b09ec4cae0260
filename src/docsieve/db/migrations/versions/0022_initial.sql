-- The schema of the first release. A later change is another migration; db/schema.sql shows the result.

set local check_function_bodies = false;  -- functions call each other
grant create on schema public to docsieve_app;  -- a login role that is not a superuser gives it functions below


-- Extensions

CREATE EXTENSION IF NOT EXISTS btree_gin WITH SCHEMA public;

CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;

CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA public;

GRANT USAGE ON SCHEMA public TO docsieve_app;


-- Table api_keys

CREATE TABLE public.api_keys (
    id text NOT NULL,
    tenant_id uuid NOT NULL,
    project_id uuid,
    name text NOT NULL,
    secret_hash bytea NOT NULL,
    scopes text[] NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone
);

ALTER TABLE ONLY public.api_keys FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN public.api_keys.project_id IS 'If set, the key is limited to this project.';

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);

CREATE INDEX api_keys_by_tenant ON public.api_keys USING btree (tenant_id, created_at);


-- Table archive_entries

CREATE TABLE public.archive_entries (
    archive_id uuid NOT NULL,
    number integer NOT NULL,
    tenant_id uuid NOT NULL,
    project_id uuid NOT NULL,
    path text NOT NULL,
    verdict text NOT NULL,
    code text,
    size bigint,
    document_id uuid,
    CONSTRAINT archive_entries_verdict_check CHECK ((verdict = ANY (ARRAY['created'::text, 'skipped'::text, 'unsupported_type'::text, 'refused'::text])))
);

ALTER TABLE ONLY public.archive_entries FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.archive_entries IS 'What became of each entry of an archive, in the order of the archive.';

COMMENT ON COLUMN public.archive_entries.code IS 'Why it was skipped or refused.';

COMMENT ON COLUMN public.archive_entries.document_id IS 'The document it became; null after that was deleted.';

ALTER TABLE ONLY public.archive_entries
    ADD CONSTRAINT archive_entries_pkey PRIMARY KEY (archive_id, number);

CREATE INDEX archive_entries_by_document ON public.archive_entries USING btree (document_id) WHERE (document_id IS NOT NULL);

CREATE INDEX archive_entries_by_verdict ON public.archive_entries USING btree (archive_id, verdict, number);


-- Table archives

CREATE TABLE public.archives (
    document_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    project_id uuid NOT NULL,
    root_id uuid NOT NULL,
    entries integer DEFAULT 0 NOT NULL,
    created integer DEFAULT 0 NOT NULL,
    skipped integer DEFAULT 0 NOT NULL,
    unsupported_type integer DEFAULT 0 NOT NULL,
    refused integer DEFAULT 0 NOT NULL,
    unpacked_bytes bigint DEFAULT 0 NOT NULL,
    incomplete text
);

ALTER TABLE ONLY public.archives FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.archives IS 'How far an archive is unpacked. Written with each slice of its entries.';

COMMENT ON COLUMN public.archives.root_id IS 'The uploaded archive that this one was in, at any depth, or the archive itself. Limits apply to all archives with the same root.';

COMMENT ON COLUMN public.archives.entries IS 'Entries so far. The next slice begins after them.';

COMMENT ON COLUMN public.archives.incomplete IS 'Why there may be entries that are not listed.';

ALTER TABLE ONLY public.archives
    ADD CONSTRAINT archives_pkey PRIMARY KEY (document_id);

CREATE INDEX archives_by_root ON public.archives USING btree (root_id);


-- Table attempts

CREATE TABLE public.attempts (
    job_id uuid NOT NULL,
    started_at timestamp with time zone NOT NULL,
    tenant_id uuid NOT NULL,
    project_id uuid,
    attempt integer NOT NULL,
    worker_id text,
    outcome text NOT NULL,
    ended_at timestamp with time zone NOT NULL,
    error_code text,
    error_message text,
    stages jsonb DEFAULT '[]'::jsonb NOT NULL,
    CONSTRAINT attempts_outcome_check CHECK ((outcome = ANY (ARRAY['completed'::text, 'failed'::text, 'retried'::text, 'cancelled'::text, 'rescued'::text, 'handed_back'::text])))
);

ALTER TABLE ONLY public.attempts FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.attempts IS 'History of the jobs of documents and extractions. Written by record_attempt only.';

ALTER TABLE ONLY public.attempts
    ADD CONSTRAINT attempts_pkey PRIMARY KEY (job_id, started_at);


-- Table audit_heads

CREATE TABLE public.audit_heads (
    tenant_id uuid NOT NULL,
    entries bigint NOT NULL,
    hash bytea NOT NULL
)
WITH (fillfactor='50');

ALTER TABLE ONLY public.audit_heads FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.audit_heads IS 'The number of entries and the newest hash per tenant. The row is also the lock that puts entries in order.';

ALTER TABLE ONLY public.audit_heads
    ADD CONSTRAINT audit_heads_pkey PRIMARY KEY (tenant_id);


-- Table audit_log

CREATE TABLE public.audit_log (
    tenant_id uuid NOT NULL,
    number bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    project_id uuid,
    actor_kind text NOT NULL,
    actor_id text,
    actor_name text,
    remote_address text,
    forwarded_for text,
    action text NOT NULL,
    object_type text NOT NULL,
    object_id text,
    details json NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT audit_log_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['key'::text, 'session'::text, 'scheduler'::text, 'rule'::text, 'system'::text]))),
    CONSTRAINT audit_log_number_check CHECK ((number > 0))
);

ALTER TABLE ONLY public.audit_log FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.audit_log IS 'Who did what, when and from where. Written by append_audit only. Numbers have no gaps, and each hash covers the entry and the hash before it, so that an entry that was changed or removed is detected. If the oldest were pruned, the newest entry audit.pruned has the number and the hash of the last of them. No foreign keys: entries remain when what they are about is deleted.';

COMMENT ON COLUMN public.audit_log.actor_kind IS 'An API key, a dashboard session of one, a scheduler outside, a rule, or the server itself.';

COMMENT ON COLUMN public.audit_log.actor_id IS 'The id of the key, the subject of the scheduler''s token, or the name of the rule.';

COMMENT ON COLUMN public.audit_log.forwarded_for IS 'The X-Forwarded-For header as it was sent. Not verified.';

COMMENT ON COLUMN public.audit_log.details IS 'json rather than jsonb, which would not keep the text that was hashed.';

ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (tenant_id, number);

CREATE INDEX audit_log_by_action ON public.audit_log USING btree (tenant_id, action, number);

CREATE INDEX audit_log_by_actor ON public.audit_log USING btree (tenant_id, actor_id, number);

CREATE INDEX audit_log_by_object ON public.audit_log USING btree (tenant_id, object_id, number);

CREATE INDEX audit_log_by_time ON public.audit_log USING btree (tenant_id, at);


-- Table batch_counts

CREATE TABLE public.batch_counts (
    batch_id uuid NOT NULL,
    shard smallint NOT NULL,
    tenant_id uuid NOT NULL,
    project_id uuid NOT NULL,
    total integer NOT NULL,
    completed integer DEFAULT 0 NOT NULL,
    failed integer DEFAULT 0 NOT NULL,
    cancelled integer DEFAULT 0 NOT NULL,
    needs_review integer DEFAULT 0 NOT NULL
)
WITH (fillfactor='50');

ALTER TABLE ONLY public.batch_counts FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.batch_counts IS 'How many extractions of a batch are in each final state. In several rows, so that workers that finish extractions of one batch at the same time rarely wait for each other. See count_extraction.';

ALTER TABLE ONLY public.batch_counts
    ADD CONSTRAINT batch_counts_pkey PRIMARY KEY (batch_id, shard);


-- Table batch_documents

CREATE TABLE public.batch_documents (
    batch_id uuid NOT NULL,
    document_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    project_id uuid NOT NULL,
    uploaded boolean DEFAULT false NOT NULL
);

ALTER TABLE ONLY public.batch_documents FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.batch_documents IS 'The documents of a batch, including archives, their entries and attachments. See join_batches_of_parent.';

COMMENT ON COLUMN public.batch_documents.uploaded IS 'Whether the document came into the system with this batch. Documents that existed before outlive it.';

ALTER TABLE ONLY public.batch_documents
    ADD CONSTRAINT batch_documents_pkey PRIMARY KEY (batch_id, document_id);

CREATE INDEX batch_documents_by_document ON public.batch_documents USING btree (document_id);


-- Table batch_specs

CREATE TABLE public.batch_specs (
    id uuid NOT NULL,
    batch_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    project_id uuid NOT NULL,
    schema json NOT NULL,
    prompt text
);

ALTER TABLE ONLY public.batch_specs FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.batch_specs IS 'Schema and prompt of the extractions that one start of a batch made, as they were then. Once instead of in each extraction, because a schema is many times larger than the rest of a row.';

ALTER TABLE ONLY public.batch_specs
    ADD CONSTRAINT batch_specs_pkey PRIMARY KEY (id);

CREATE INDEX batch_specs_by_batch ON public.batch_specs USING btree (batch_id);


-- Table batches

CREATE TABLE public.batches (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    project_id uuid NOT NULL,
    name text NOT NULL,
    status text DEFAULT 'pending_configuration'::text NOT NULL,
    schema_ref text,
    fields json,
    engine text,
    model text,
    prompt_ref text,
    threshold double precision,
    group_by jsonb DEFAULT '{"mode": "document"}'::jsonb NOT NULL,
    split text,
    priority integer DEFAULT 0 NOT NULL,
    run_at timestamp with time zone,
    persist_data boolean DEFAULT true NOT NULL,
    webhook_url text,
    metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    starting_job uuid,
    open_shards integer DEFAULT 0 NOT NULL,
    finished_before integer DEFAULT 0 NOT NULL,
    error_code text,
    error_message text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    started_at timestamp with time zone,
    completed_at timestamp with time zone,
    idempotency_key text,
    fingerprint text,
    CONSTRAINT batches_open_shards_check CHECK ((open_shards >= 0)),
    CONSTRAINT batches_split_check CHECK ((split = ANY (ARRAY['none'::text, 'auto'::text]))),
    CONSTRAINT batches_status_check CHECK ((status = ANY (ARRAY['pending_configuration'::text, 'running'::text, 'completed'::text, 'cancelled'::text]))),
    CONSTRAINT batches_threshold_check CHECK (((threshold >= (0)::double precision) AND (threshold <= (1)::double precision)))
)
WITH (fillfactor='70');

ALTER TABLE ONLY public.batches FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.batches IS 'Many extractions that are configured, started and counted together.';

COMMENT ON COLUMN public.batches.fields IS 'The list of fields from which the schema was made, if any.';

COMMENT ON COLUMN public.batches.split IS 'For uploads into the batch that do not say themselves whether to split them.';

COMMENT ON COLUMN public.batches.run_at IS 'A start before this time is postponed until then.';

COMMENT ON COLUMN public.batches.persist_data IS 'If false, the batch and its documents are deleted a day after it has ended.';

COMMENT ON COLUMN public.batches.webhook_url IS 'Is told when the batch is completed.';

COMMENT ON COLUMN public.batches.starting_job IS 'The job that starts it later, because it waits for run_at or for documents. See batch_follows_starting_job.';

COMMENT ON COLUMN public.batches.open_shards IS 'How many rows of batch_counts have unfinished extractions. See count_extraction.';

COMMENT ON COLUMN public.batches.finished_before IS 'How many extractions were finished at started_at; what was finished since then gives the throughput.';

COMMENT ON COLUMN public.batches.started_at IS 'When extractions were last started or retried.';

ALTER TABLE ONLY public.batches
    ADD CONSTRAINT batches_pkey PRIMARY KEY (id);

CREATE UNIQUE INDEX batches_by_key ON public.batches USING btree (tenant_id, idempotency_key) WHERE (idempotency_key IS NOT NULL);

CREATE INDEX batches_by_project ON public.batches USING btree (project_id);

CREATE INDEX batches_by_tenant ON public.batches USING btree (tenant_id, id DESC);

CREATE INDEX batches_to_discard ON public.batches USING btree (completed_at) WHERE (NOT persist_data);

CREATE INDEX batches_unconfigured ON public.batches USING btree (updated_at) WHERE (status = 'pending_configuration'::text);


-- Table cached_responses

CREATE TABLE public.cached_responses (
    tenant_id uuid NOT NULL,
    key bytea NOT NULL,
    provider text NOT NULL,
    document_ids uuid[] NOT NULL,
    body bytea NOT NULL,
    cost numeric(16,8) NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
ALTER TABLE ONLY public.cached_responses ALTER COLUMN body SET STORAGE EXTERNAL;

ALTER TABLE ONLY public.cached_responses FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.cached_responses IS 'Cached provider responses. A response is stored in the transaction that records its cost, so that no paid call is repeated.';

COMMENT ON COLUMN public.cached_responses.document_ids IS 'Documents whose content it quotes. It is deleted with the first of them. See delete_responses_about_documents.';

ALTER TABLE ONLY public.cached_responses
    ADD CONSTRAINT cached_responses_pkey PRIMARY KEY (tenant_id, key);

CREATE INDEX cached_responses_by_age ON public.cached_responses USING btree (created_at);

CREATE INDEX cached_responses_by_document ON public.cached_responses USING gin (document_ids) WITH (fastupdate=off);


-- Table chunk_vectors

CREATE TABLE public.chunk_vectors (
    chunk_id bigint NOT NULL,
    embedder_id smallint NOT NULL,
    tenant_id uuid NOT NULL,
    project_id uuid NOT NULL,
    document_id uuid NOT NULL,
    embedding public.halfvec NOT NULL
);

ALTER TABLE ONLY public.chunk_vectors FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.chunk_vectors IS 'Each embedder has its own partial vector index, created when the embedder is registered or built.';

ALTER TABLE ONLY public.chunk_vectors
    ADD CONSTRAINT chunk_vectors_pkey PRIMARY KEY (chunk_id, embedder_id);

CREATE INDEX chunk_vectors_by_document ON public.chunk_vectors USING btree (document_id);

CREATE INDEX chunk_vectors_by_tenant ON public.chunk_vectors USING btree (tenant_id, embedder_id, project_id);


-- Table chunks

CREATE TABLE public.chunks (
    id bigint NOT NULL,
    tenant_id uuid NOT NULL,
    project_id uuid NOT NULL,
    document_id uuid NOT NULL,
    ordinal integer NOT NULL,
    page integer NOT NULL,
    heading text,
    kind text NOT NULL,
    text text NOT NULL,
    places jsonb NOT NULL,
    stemming text NOT NULL,
    length integer NOT NULL,
    level smallint NOT NULL,
    terms integer[] NOT NULL,
    profile bytea NOT NULL,
    CONSTRAINT chunks_kind_check CHECK ((kind = ANY (ARRAY['text'::text, 'table'::text])))
);
ALTER TABLE ONLY public.chunks ALTER COLUMN terms SET STORAGE EXTERNAL;
ALTER TABLE ONLY public.chunks ALTER COLUMN profile SET STORAGE EXTERNAL;

ALTER TABLE ONLY public.chunks FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.chunks IS 'Passages of documents, the unit of search.';

COMMENT ON COLUMN public.chunks.places IS 'Where the text is on its pages.';

COMMENT ON COLUMN public.chunks.stemming IS 'Language whose stemmer produced the terms.';

COMMENT ON COLUMN public.chunks.level IS 'Random: one chunk in 16 has level 1 or more, one in 256 level 2 or more. These samples give estimates of term frequencies without a counter that all writers would share.';

COMMENT ON COLUMN public.chunks.terms IS 'Hashes of the words, salted with the tenant.';

COMMENT ON COLUMN public.chunks.profile IS 'How often each term occurs. BM25 is computed from profiles alone.';

ALTER TABLE public.chunks ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.chunks_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE ONLY public.chunks
    ADD CONSTRAINT chunks_pkey PRIMARY KEY (id);

CREATE INDEX chunks_by_document ON public.chunks USING btree (document_id, ordinal);

CREATE INDEX chunks_by_level ON public.chunks USING btree (tenant_id, level) INCLUDE (project_id, length);

CREATE INDEX chunks_by_project ON public.chunks USING btree (project_id);

CREATE INDEX chunks_by_stemming ON public.chunks USING btree (tenant_id, stemming);

CREATE INDEX chunks_by_term ON public.chunks USING gin (terms) WITH (gin_pending_list_limit='128');

CREATE INDEX chunks_by_term_sampled ON public.chunks USING gin (terms) WITH (fastupdate=off) WHERE (level >= 1);

CREATE INDEX chunks_by_term_sparse ON public.chunks USING gin (terms) WITH (fastupdate=off) WHERE (level >= 2);


-- Table corrections

CREATE TABLE public.corrections (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    project_id uuid NOT NULL,
    extraction_id uuid NOT NULL,
    action text DEFAULT 'correct'::text NOT NULL,
    undoes uuid,
    path text NOT NULL,
    pattern text NOT NULL,
    old_value jsonb,
    new_value jsonb,
    document_id uuid,
    page integer,
    box double precision[],
    note text,
    made_by text NOT NULL,
    made_by_name text,
    made_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT corrections_action_check CHECK ((action = ANY (ARRAY['correct'::text, 'accept'::text, 'undo'::text]))),
    CONSTRAINT corrections_check CHECK (((action = 'undo'::text) = (undoes IS NOT NULL)))
);

ALTER TABLE ONLY public.corrections FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.corrections IS 'What people did in review. Rows are added and never changed: undoing one adds a row that names it.';

ALTER TABLE ONLY public.corrections
    ADD CONSTRAINT corrections_pkey PRIMARY KEY (id);

CREATE INDEX corrections_by_extraction ON public.corrections USING btree (extraction_id, id);

CREATE UNIQUE INDEX corrections_undone ON public.corrections USING btree (undoes) WHERE (undoes IS NOT NULL);


-- Table data_keys

CREATE TABLE public.data_keys (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    wrapped bytea NOT NULL,
    master text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    retired_at timestamp with time zone,
    resealed integer DEFAULT 0 NOT NULL,
    CONSTRAINT data_keys_resealed_check CHECK ((resealed >= 0))
);

ALTER TABLE ONLY public.data_keys FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.data_keys IS 'The keys that encrypt the blobs of tenants, themselves encrypted with a master key, which is not in the database.';

COMMENT ON COLUMN public.data_keys.master IS 'Which master key wrapped it: a fingerprint.';

COMMENT ON COLUMN public.data_keys.retired_at IS 'When a newer key replaced it. It still opens the blobs it has sealed.';

COMMENT ON COLUMN public.data_keys.resealed IS 'How many of the folders of the tenant were searched for blobs that are not sealed with this key.';

ALTER TABLE ONLY public.data_keys
    ADD CONSTRAINT data_keys_pkey PRIMARY KEY (id);

CREATE INDEX data_keys_by_tenant ON public.data_keys USING btree (tenant_id);

CREATE UNIQUE INDEX data_keys_current ON public.data_keys USING btree (tenant_id) WHERE (retired_at IS NULL);


-- Table document_classes

CREATE TABLE public.document_classes (
    tenant_id uuid NOT NULL,
    name text NOT NULL,
    description text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

ALTER TABLE ONLY public.document_classes FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.document_classes IS 'Document classes that a tenant defined, in addition to the built-in ones.';

ALTER TABLE ONLY public.document_classes
    ADD CONSTRAINT document_classes_pkey PRIMARY KEY (tenant_id, name);


-- Table document_fields

CREATE TABLE public.document_fields (
    extraction_id uuid NOT NULL,
    ordinal integer NOT NULL,
    tenant_id uuid NOT NULL,
    project_id uuid NOT NULL,
    document_id uuid NOT NULL,
    path text NOT NULL,
    pattern text NOT NULL,
    value jsonb,
    search text,
    confidence double precision NOT NULL,
    grounded boolean NOT NULL,
    evidence jsonb NOT NULL,
    checks jsonb NOT NULL,
    why text,
    needs_review boolean NOT NULL,
    doubts jsonb DEFAULT '[]'::jsonb NOT NULL
);

ALTER TABLE ONLY public.document_fields FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.document_fields IS 'One row per leaf of an extraction''s value.';

COMMENT ON COLUMN public.document_fields.pattern IS 'The path with list positions replaced by a placeholder.';

COMMENT ON COLUMN public.document_fields.search IS 'The value as people would type it, folded and truncated, so that an index finds equal ones.';

COMMENT ON COLUMN public.document_fields.doubts IS 'Why the value, or the null, may be wrong: code, message, another value, and the evidence of that.';

ALTER TABLE ONLY public.document_fields
    ADD CONSTRAINT document_fields_pkey PRIMARY KEY (extraction_id, ordinal);

CREATE INDEX document_fields_by_document ON public.document_fields USING btree (document_id, extraction_id);

CREATE INDEX document_fields_by_value ON public.document_fields USING btree (tenant_id, search, pattern) WHERE (search IS NOT NULL);

CREATE INDEX document_fields_to_review ON public.document_fields USING btree (tenant_id, confidence, extraction_id, ordinal) WHERE needs_review;


-- Table documents

CREATE TABLE public.documents (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    project_id uuid NOT NULL,
    job_id uuid,
    status text DEFAULT 'pending'::text NOT NULL,
    error_code text,
    error_message text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    filename text NOT NULL,
    sort_name text GENERATED ALWAYS AS (lower(filename)) STORED,
    media_type text,
    size bigint,
    sha256 text,
    sealed_password bytea,
    duplicate_of uuid,
    parent_id uuid,
    parent_path text,
    depth smallint DEFAULT 0 NOT NULL,
    schema_ref text,
    engine text,
    reading jsonb DEFAULT '{}'::jsonb NOT NULL,
    webhook_url text,
    metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
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
    read_at timestamp with time zone,
    newest_extraction uuid,
    confidence double precision,
    needs_review boolean,
    files_checked_at timestamp with time zone,
    original_damaged boolean DEFAULT false NOT NULL,
    first_page integer,
    last_page integer,
    split_needs_review boolean,
    no_fields jsonb,
    persist_data boolean DEFAULT true NOT NULL,
    original_deleted_at timestamp with time zone,
    delete_after timestamp with time zone,
    source text,
    sealed_source bytea,
    staged jsonb,
    CONSTRAINT documents_file CHECK (((num_nulls(media_type, size, sha256) = 0) OR ((num_nulls(media_type, size, sha256) = 3) AND (source IS NOT NULL)))),
    CONSTRAINT documents_page_range CHECK ((((first_page IS NULL) = (last_page IS NULL)) AND ((first_page IS NULL) OR ((parent_id IS NOT NULL) AND (first_page >= 1) AND (last_page >= first_page))))),
    CONSTRAINT documents_status_check CHECK ((status = ANY (ARRAY['pending_download'::text, 'downloading'::text, 'pending'::text, 'processing'::text, 'ready'::text, 'pending_unpacking'::text, 'unpacking'::text, 'unpacked'::text, 'failed'::text, 'cancelled'::text])))
);

ALTER TABLE ONLY public.documents FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN public.documents.job_id IS 'The job whose status the document follows. See document_follows_job.';

COMMENT ON COLUMN public.documents.sort_name IS 'A column rather than an index expression: under row-level security an index on lower(filename) cannot be used.';

COMMENT ON COLUMN public.documents.sha256 IS 'Null, like size and media_type, until the file has been downloaded.';

COMMENT ON COLUMN public.documents.duplicate_of IS 'The oldest document of the tenant with the same content.';

COMMENT ON COLUMN public.documents.parent_id IS 'The document or archive this one was found in.';

COMMENT ON COLUMN public.documents.parent_path IS 'Its name or path inside the parent.';

COMMENT ON COLUMN public.documents.schema_ref IS 'What the upload said: a schema name with or without a version, auto, none, or a JSON Schema. Null leaves it to the project.';

COMMENT ON COLUMN public.documents.reading IS 'Options for reading: parser, OCR engine and languages, attachments, split.';

COMMENT ON COLUMN public.documents.webhook_url IS 'Is told when the document is ready, unpacked or has failed.';

COMMENT ON COLUMN public.documents.metadata IS 'JSON object of the sender, returned unchanged.';

COMMENT ON COLUMN public.documents.pages_key IS 'Blob key of the page file.';

COMMENT ON COLUMN public.documents.read_by_job IS 'This job and attempt wrote the result of reading, in the transaction that completed the job.';

COMMENT ON COLUMN public.documents.newest_extraction IS 'The newest completed extraction. See copy_newest_extraction.';

COMMENT ON COLUMN public.documents.files_checked_at IS 'When the stored files were last compared with their checksums.';

COMMENT ON COLUMN public.documents.first_page IS 'Set for a part of a packet: page 1 of the part is this page of the parent, up to last_page.';

COMMENT ON COLUMN public.documents.split_needs_review IS 'Whether cuts of the packet wait for a person. Null for a document that was not split.';

COMMENT ON COLUMN public.documents.no_fields IS 'Code and message of the reason why reading chose no schema, if one was to be chosen by the class of the document.';

COMMENT ON COLUMN public.documents.persist_data IS 'If false, the document is deleted with everything derived from it, a while after it was processed. Documents that are found in it inherit this.';

COMMENT ON COLUMN public.documents.original_deleted_at IS 'Since when the uploaded file is no longer stored.';

COMMENT ON COLUMN public.documents.delete_after IS 'The document is deleted after this time, with what was found in it.';

COMMENT ON COLUMN public.documents.source IS 'The URL that the file comes from, without its query, which may be a secret. Null if the file was uploaded.';

COMMENT ON COLUMN public.documents.sealed_source IS 'The whole URL, encrypted, until the file has been downloaded.';

COMMENT ON COLUMN public.documents.staged IS 'The downloaded file before it is copied to the key of the document: key, media_type, size and sha256. Written once, so that all attempts copy the same bytes.';

ALTER TABLE ONLY public.documents
    ADD CONSTRAINT documents_pkey PRIMARY KEY (id);

CREATE INDEX documents_by_check ON public.documents USING btree (COALESCE(files_checked_at, created_at)) WHERE (status = 'ready'::text);

CREATE INDEX documents_by_class ON public.documents USING btree (tenant_id, class, id DESC) WHERE (class IS NOT NULL);

CREATE INDEX documents_by_content ON public.documents USING btree (tenant_id, sha256);

CREATE INDEX documents_by_name ON public.documents USING gin (filename public.gin_trgm_ops);

CREATE UNIQUE INDEX documents_by_page_range ON public.documents USING btree (parent_id, first_page, last_page) WHERE (first_page IS NOT NULL);

CREATE INDEX documents_by_parent ON public.documents USING btree (parent_id) WHERE (parent_id IS NOT NULL);

CREATE INDEX documents_by_project ON public.documents USING btree (project_id, created_at);

CREATE INDEX documents_by_size ON public.documents USING btree (tenant_id, COALESCE(size, (0)::bigint), id);

CREATE INDEX documents_by_sorted_name ON public.documents USING btree (tenant_id, sort_name, id);

CREATE INDEX documents_by_tenant ON public.documents USING btree (tenant_id, id DESC);

CREATE INDEX documents_to_delete ON public.documents USING btree (delete_after) WHERE (delete_after IS NOT NULL);

CREATE INDEX documents_to_discard ON public.documents USING btree (updated_at) WHERE ((NOT persist_data) AND (parent_id IS NULL));

CREATE INDEX documents_unpacked ON public.documents USING btree (updated_at) WHERE ((status = 'unpacked'::text) AND (original_deleted_at IS NULL));

CREATE INDEX documents_with_cuts_to_review ON public.documents USING btree (tenant_id, id DESC) WHERE split_needs_review;

CREATE INDEX documents_with_damaged_original ON public.documents USING btree (id) WHERE original_damaged;


-- Table embedders

CREATE TABLE public.embedders (
    id smallint NOT NULL,
    name text NOT NULL,
    dimensions integer NOT NULL,
    state text NOT NULL,
    leased_until timestamp with time zone,
    swept_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT embedders_dimensions_check CHECK (((dimensions >= 1) AND (dimensions <= 4000))),
    CONSTRAINT embedders_state_check CHECK ((state = ANY (ARRAY['building'::text, 'active'::text, 'retired'::text])))
);

ALTER TABLE ONLY public.embedders FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.embedders IS 'One active embedder serves searches. Another may be building; it becomes active when it has embedded every chunk.';

COMMENT ON COLUMN public.embedders.leased_until IS 'Keeps two workers from embedding at the same time.';

ALTER TABLE public.embedders ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.embedders_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE ONLY public.embedders
    ADD CONSTRAINT embedders_name_key UNIQUE (name);

ALTER TABLE ONLY public.embedders
    ADD CONSTRAINT embedders_pkey PRIMARY KEY (id);

CREATE UNIQUE INDEX embedders_active ON public.embedders USING btree (state) WHERE (state = 'active'::text);


-- Table events

CREATE TABLE public.events (
    id uuid NOT NULL,
    seq bigint NOT NULL,
    txid xid8 DEFAULT pg_current_xact_id() NOT NULL,
    tenant_id uuid NOT NULL,
    project_id uuid,
    type text NOT NULL,
    subject_id uuid,
    document_id uuid,
    batch_id uuid,
    related uuid[],
    data jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

ALTER TABLE ONLY public.events FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.events IS 'What happened, written in the transaction in which it happened. Streams read it, and webhooks are sent for it. Rows are added by emit_event, never changed, and pruned after some days.';

COMMENT ON COLUMN public.events.id IS 'UUID version 7, which receivers see. Every delivery of the event has the same id.';

COMMENT ON COLUMN public.events.txid IS 'The transaction. Readers go by (txid, seq) and only up to the oldest transaction that is still open, so that an event that is committed late is not skipped. 0 after a restore: see adopt_restored in db/events/outbox.py.';

COMMENT ON COLUMN public.events.subject_id IS 'The document, extraction, batch or webhook endpoint it is about.';

COMMENT ON COLUMN public.events.document_id IS 'For filters: the document, or the only document of the extraction.';

COMMENT ON COLUMN public.events.batch_id IS 'For filters: the batch, or the oldest batch that the document is in.';

COMMENT ON COLUMN public.events.related IS 'For filters: the documents of an extraction of several, or the batches of a document that is in several.';

COMMENT ON COLUMN public.events.data IS 'Ids, status and error code. No text, values or names of documents.';

ALTER TABLE public.events ALTER COLUMN seq ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.events_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (id);

CREATE INDEX events_by_project ON public.events USING btree (project_id, txid, seq) WHERE (project_id IS NOT NULL);

CREATE INDEX events_by_tenant ON public.events USING btree (tenant_id, txid, seq);


-- Table exceeded_budgets

CREATE TABLE public.exceeded_budgets (
    tenant_id uuid NOT NULL,
    owner_id uuid NOT NULL,
    month date NOT NULL,
    noticed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

ALTER TABLE ONLY public.exceeded_budgets FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.exceeded_budgets IS 'In which months a budget was used up, so that it is announced once per month. Events are not kept that long.';

COMMENT ON COLUMN public.exceeded_budgets.owner_id IS 'The project or the tenant whose budget it is.';

ALTER TABLE ONLY public.exceeded_budgets
    ADD CONSTRAINT exceeded_budgets_pkey PRIMARY KEY (tenant_id, owner_id, month);


-- Table extraction_documents

CREATE TABLE public.extraction_documents (
    extraction_id uuid NOT NULL,
    "position" integer NOT NULL,
    tenant_id uuid NOT NULL,
    project_id uuid NOT NULL,
    document_id uuid NOT NULL
);

ALTER TABLE ONLY public.extraction_documents FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.extraction_documents IS 'The documents of an extraction, in the order in which they are read.';

ALTER TABLE ONLY public.extraction_documents
    ADD CONSTRAINT extraction_documents_pkey PRIMARY KEY (extraction_id, "position");

CREATE INDEX extraction_documents_by_document ON public.extraction_documents USING btree (document_id, extraction_id DESC);


-- Table extractions

CREATE TABLE public.extractions (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    project_id uuid NOT NULL,
    job_id uuid NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    document_count integer NOT NULL,
    schema_name text,
    schema_version integer,
    schema json,
    prompt_name text,
    prompt_version integer,
    prompt text,
    engine text NOT NULL,
    engine_version text,
    model text,
    threshold double precision NOT NULL,
    use_cache boolean DEFAULT true NOT NULL,
    show text DEFAULT 'text'::text NOT NULL,
    lessons_version integer,
    value json,
    metadata json,
    usage jsonb,
    confidence double precision,
    needs_review boolean,
    superseded boolean DEFAULT false NOT NULL,
    client_metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    error_code text,
    error_message text,
    verified_at timestamp with time zone,
    verified_by text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    completed_at timestamp with time zone,
    written_by_job uuid,
    written_by_attempt integer,
    idempotency_key text,
    fingerprint text,
    allow_missing boolean DEFAULT false NOT NULL,
    missing jsonb DEFAULT '[]'::jsonb NOT NULL,
    batch_id uuid,
    batch_spec uuid,
    group_name text,
    fallback_engine text,
    fallback_from jsonb,
    webhook_url text,
    is_report boolean DEFAULT false NOT NULL,
    CONSTRAINT extractions_check CHECK (((schema IS NOT NULL) OR (batch_spec IS NOT NULL))),
    CONSTRAINT extractions_document_count_check CHECK ((document_count > 0)),
    CONSTRAINT extractions_show_check CHECK ((show = ANY (ARRAY['text'::text, 'images'::text, 'both'::text]))),
    CONSTRAINT extractions_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'processing'::text, 'completed'::text, 'failed'::text, 'cancelled'::text])))
);

ALTER TABLE ONLY public.extractions FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN public.extractions.job_id IS 'The job that performs it, whose status it follows. See extraction_follows_job.';

COMMENT ON COLUMN public.extractions.schema IS 'The schema as it was when the extraction was started; null if it is in batch_specs.';

COMMENT ON COLUMN public.extractions.threshold IS 'Fields with less confidence need review.';

COMMENT ON COLUMN public.extractions.show IS 'What a model gets to see of the pages.';

COMMENT ON COLUMN public.extractions.value IS 'json rather than jsonb, which would not keep the order of the schema.';

COMMENT ON COLUMN public.extractions.metadata IS 'Confidence, evidence and checks per path of the value.';

COMMENT ON COLUMN public.extractions.superseded IS 'A newer extraction with the same schema covers all of its documents.';

COMMENT ON COLUMN public.extractions.written_by_job IS 'This job and attempt wrote the result, in the transaction that completed the job.';

COMMENT ON COLUMN public.extractions.allow_missing IS 'Whether documents that cannot be read are left out, as long as one can be read.';

COMMENT ON COLUMN public.extractions.missing IS 'The documents that were left out: document_id, filename, and the code and message of the reason.';

COMMENT ON COLUMN public.extractions.group_name IS 'Which group of its batch it is; unique in the batch.';

COMMENT ON COLUMN public.extractions.fallback_from IS 'The engine that was chosen, with code and message of its error, if fallback_engine made the result. Then engine is the one that made it.';

COMMENT ON COLUMN public.extractions.webhook_url IS 'Is told when the extraction is completed or has failed.';

COMMENT ON COLUMN public.extractions.is_report IS 'Whether it was submitted as a report.';

ALTER TABLE ONLY public.extractions
    ADD CONSTRAINT extractions_pkey PRIMARY KEY (id);

CREATE INDEX extractions_by_batch ON public.extractions USING btree (batch_id, id) WHERE (batch_id IS NOT NULL);

CREATE INDEX extractions_by_job ON public.extractions USING btree (job_id);

CREATE UNIQUE INDEX extractions_by_key ON public.extractions USING btree (tenant_id, idempotency_key) WHERE (idempotency_key IS NOT NULL);

CREATE INDEX extractions_by_project ON public.extractions USING btree (project_id);

CREATE INDEX extractions_by_schema ON public.extractions USING btree (tenant_id, schema_name, id DESC);

CREATE INDEX extractions_by_tenant ON public.extractions USING btree (tenant_id, id DESC);

CREATE INDEX extractions_of_batch_running ON public.extractions USING btree (batch_id) WHERE ((batch_id IS NOT NULL) AND (status = 'processing'::text));

CREATE INDEX extractions_to_review ON public.extractions USING btree (tenant_id, id DESC) WHERE needs_review;

CREATE INDEX extractions_verified ON public.extractions USING btree (tenant_id, schema_name, verified_at) WHERE (verified_at IS NOT NULL);


-- Table idempotency_keys

CREATE TABLE public.idempotency_keys (
    tenant_id uuid NOT NULL,
    key text NOT NULL,
    fingerprint text NOT NULL,
    document_id uuid NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

ALTER TABLE ONLY public.idempotency_keys FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN public.idempotency_keys.fingerprint IS 'Hash of the request, without its password. A second request with the key must have the same one.';

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (tenant_id, key);

CREATE INDEX idempotency_keys_by_age ON public.idempotency_keys USING btree (created_at);

CREATE INDEX idempotency_keys_by_document ON public.idempotency_keys USING btree (document_id);


-- Table job_counts

CREATE TABLE public.job_counts (
    tenant_id uuid NOT NULL,
    project_id uuid,
    queue text NOT NULL,
    job_type text NOT NULL,
    status text NOT NULL,
    jobs bigint NOT NULL,
    CONSTRAINT job_counts_status_check CHECK ((status = ANY (ARRAY['completed'::text, 'failed'::text, 'cancelled'::text])))
);

ALTER TABLE ONLY public.job_counts FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.job_counts IS 'Finished jobs; the number is the sum of all rows. Completed jobs are counted by the statement that completes them, all other changes by triggers.';

CREATE INDEX job_counts_by_tenant ON public.job_counts USING btree (tenant_id);


-- Table jobs

CREATE TABLE public.jobs (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    project_id uuid,
    document_id uuid,
    job_type text NOT NULL,
    args jsonb NOT NULL,
    queue text NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    turn double precision NOT NULL,
    status text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    max_attempts integer NOT NULL,
    rescues integer DEFAULT 0 NOT NULL,
    worker_id text,
    locked_at timestamp with time zone,
    lock_expires_at timestamp with time zone,
    run_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    started_at timestamp with time zone,
    completed_at timestamp with time zone,
    processing_time_ms bigint,
    error_code text,
    error_message text,
    error_details jsonb,
    cancel_requested boolean DEFAULT false NOT NULL,
    unique_key text,
    progress jsonb,
    stages jsonb,
    waits_for uuid,
    result jsonb,
    deferred_by text,
    marks_turn boolean DEFAULT true NOT NULL,
    CONSTRAINT jobs_deferred_by_check CHECK ((deferred_by = ANY (ARRAY['run_at'::text, 'processing_window'::text]))),
    CONSTRAINT jobs_status_check CHECK ((status = ANY (ARRAY['scheduled'::text, 'pending'::text, 'processing'::text, 'completed'::text, 'failed'::text, 'cancelled'::text])))
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.01', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_insert_scale_factor='0.2', autovacuum_analyze_scale_factor='0.05', autovacuum_vacuum_cost_delay='0');

ALTER TABLE ONLY public.jobs FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN public.jobs.turn IS 'Position in the queue among jobs of the same priority. See next_turn.';

COMMENT ON COLUMN public.jobs.status IS '`scheduled` waits for run_at, `pending` for a worker. The API shows both as pending.';

COMMENT ON COLUMN public.jobs.attempts IS 'Number of attempts started. Together with id and worker_id it is the fence of every write by a worker.';

COMMENT ON COLUMN public.jobs.rescues IS 'How often a worker was lost while running the job.';

COMMENT ON COLUMN public.jobs.lock_expires_at IS 'End of the lease. A job past it is rescued.';

COMMENT ON COLUMN public.jobs.unique_key IS 'Only one unfinished job per tenant, type and key.';

COMMENT ON COLUMN public.jobs.progress IS 'What the running attempt last reported.';

COMMENT ON COLUMN public.jobs.stages IS 'Durations of the steps of the current attempt.';

COMMENT ON COLUMN public.jobs.waits_for IS 'A scheduled job becomes pending when this document is no longer being read, at the latest at run_at. See wake_waiting_jobs.';

COMMENT ON COLUMN public.jobs.result IS 'What the completed job reports, such as the counts of a clean-up.';

COMMENT ON COLUMN public.jobs.deferred_by IS 'Why the job has to wait for run_at: the request named that time, or the processing window of its project opens then. Null for jobs that wait for another reason.';

COMMENT ON COLUMN public.jobs.marks_turn IS 'Whether next_turn finds the job. Of jobs that are enqueued together, some do: the last, and enough others that little is lost if it is cancelled.';

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_pkey PRIMARY KEY (id);

CREATE INDEX jobs_by_document ON public.jobs USING btree (document_id, id DESC) WHERE (document_id IS NOT NULL);

CREATE INDEX jobs_by_tenant ON public.jobs USING btree (tenant_id, status, id);

CREATE INDEX jobs_leased ON public.jobs USING btree (id) WHERE (status = 'processing'::text);

CREATE INDEX jobs_of_maintenance ON public.jobs USING btree (job_type, id DESC) WHERE (queue = 'maintenance'::text);

CREATE INDEX jobs_ready ON public.jobs USING btree (queue, ((- priority)), turn, id) WHERE (status = 'pending'::text);

CREATE INDEX jobs_scheduled ON public.jobs USING btree (run_at) WHERE (status = 'scheduled'::text);

CREATE INDEX jobs_turns ON public.jobs USING btree (tenant_id, priority, queue, turn) WHERE ((status = 'pending'::text) AND marks_turn);

CREATE UNIQUE INDEX jobs_unique ON public.jobs USING btree (tenant_id, job_type, unique_key) WHERE ((unique_key IS NOT NULL) AND (status = ANY (ARRAY['scheduled'::text, 'pending'::text, 'processing'::text])));

CREATE INDEX jobs_waiting ON public.jobs USING btree (waits_for) WHERE ((waits_for IS NOT NULL) AND (status = 'scheduled'::text));


-- Table legal_holds

CREATE TABLE public.legal_holds (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    project_id uuid NOT NULL,
    document_id uuid,
    batch_id uuid,
    reason text NOT NULL,
    placed_by text,
    placed_by_name text,
    placed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT legal_holds_check CHECK (((document_id IS NULL) OR (batch_id IS NULL)))
);

ALTER TABLE ONLY public.legal_holds FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.legal_holds IS 'What must not be deleted, whatever else says so: a document with what was found in it, a batch with its documents and results, or a project if neither is set. Triggers enforce it: see refuse_held.';

ALTER TABLE ONLY public.legal_holds
    ADD CONSTRAINT legal_holds_pkey PRIMARY KEY (id);

CREATE UNIQUE INDEX legal_holds_by_object ON public.legal_holds USING btree (COALESCE(document_id, batch_id, project_id));

CREATE INDEX legal_holds_by_tenant ON public.legal_holds USING btree (tenant_id, id DESC);


-- Table lessons

CREATE TABLE public.lessons (
    tenant_id uuid NOT NULL,
    schema_name text NOT NULL,
    version integer NOT NULL,
    engine text NOT NULL,
    engine_version text NOT NULL,
    lessons jsonb NOT NULL,
    examples integer NOT NULL,
    held_back_leaves integer NOT NULL,
    score_trained double precision NOT NULL,
    score_untrained double precision NOT NULL,
    active boolean NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

ALTER TABLE ONLY public.lessons FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.lessons IS 'What an engine learned from corrections, per schema.';

COMMENT ON COLUMN public.lessons.held_back_leaves IS 'Number of leaves that both scores were measured on.';

ALTER TABLE ONLY public.lessons
    ADD CONSTRAINT lessons_pkey PRIMARY KEY (tenant_id, schema_name, version);

CREATE UNIQUE INDEX lessons_active ON public.lessons USING btree (tenant_id, schema_name, engine) WHERE active;


-- Table packets

CREATE TABLE public.packets (
    document_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    project_id uuid NOT NULL,
    cuts jsonb DEFAULT '[]'::jsonb NOT NULL,
    left_out jsonb DEFAULT '[]'::jsonb NOT NULL,
    revision integer DEFAULT 1 NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

ALTER TABLE ONLY public.packets FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.packets IS 'Documents that hold several documents, or were searched for them, and where they are cut.';

COMMENT ON COLUMN public.packets.cuts IS 'In the order of pages: after_page, confidence, reasons, state, decided_by. See Cut in domain/packets.py.';

COMMENT ON COLUMN public.packets.left_out IS 'Blank pages and separator sheets, which belong to no part: page, reason.';

COMMENT ON COLUMN public.packets.revision IS 'Counts changes, so that two people cannot undo each other''s by accident.';

ALTER TABLE ONLY public.packets
    ADD CONSTRAINT packets_pkey PRIMARY KEY (document_id);

CREATE INDEX packets_by_project ON public.packets USING btree (project_id);


-- Table projects

CREATE TABLE public.projects (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    name text NOT NULL,
    schema_ref text,
    engine text,
    model text,
    prompt_ref text,
    threshold double precision,
    budget_usd numeric(14,4),
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    class_schemas jsonb DEFAULT '{}'::jsonb NOT NULL,
    fallback_engine text,
    processing_window jsonb,
    keep_documents_days integer,
    keep_originals_days integer,
    keep_results_days integer,
    CONSTRAINT projects_budget_usd_check CHECK ((budget_usd >= (0)::numeric)),
    CONSTRAINT projects_keep_documents_days_check CHECK ((keep_documents_days > 0)),
    CONSTRAINT projects_keep_originals_days_check CHECK ((keep_originals_days > 0)),
    CONSTRAINT projects_keep_results_days_check CHECK ((keep_results_days > 0)),
    CONSTRAINT projects_name_check CHECK ((name ~ '^[a-z0-9][a-z0-9_-]{0,62}$'::text)),
    CONSTRAINT projects_threshold_check CHECK (((threshold >= (0)::double precision) AND (threshold <= (1)::double precision)))
);

ALTER TABLE ONLY public.projects FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.projects IS 'The defaults (schema_ref to budget_usd) apply to documents that do not override them; null falls back to the tenant, the server settings or the schema.';

COMMENT ON COLUMN public.projects.class_schemas IS 'Changes to the built-in map from document classes to schemas; null removes a class from it.';

COMMENT ON COLUMN public.projects.fallback_engine IS 'The engine that extracts if the chosen one fails for good or its provider is down.';

COMMENT ON COLUMN public.projects.processing_window IS 'Local times between which work is started: start, end, time_zone, and applies_to (batches or all). See processing_window_opens.';

COMMENT ON COLUMN public.projects.keep_documents_days IS 'Days after their upload until documents are deleted with everything derived from them; null keeps them.';

COMMENT ON COLUMN public.projects.keep_originals_days IS 'Days after their upload until only the uploaded files are deleted. Pages and results stay.';

COMMENT ON COLUMN public.projects.keep_results_days IS 'Days until completed extractions are deleted. Documents stay.';

ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_tenant_id_name_key UNIQUE (tenant_id, name);


-- Table prompt_heads

CREATE TABLE public.prompt_heads (
    tenant_id uuid NOT NULL,
    name text NOT NULL,
    current_version integer DEFAULT 0 NOT NULL,
    newest_version integer DEFAULT 0 NOT NULL,
    deleted_at timestamp with time zone,
    CONSTRAINT prompt_heads_check CHECK (((current_version >= 0) AND (current_version <= newest_version))),
    CONSTRAINT prompt_heads_name_check CHECK ((name ~ '^[a-z0-9][a-z0-9_-]{0,62}$'::text))
);

ALTER TABLE ONLY public.prompt_heads FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.prompt_heads IS 'The current version per prompt name, as schema_heads for schemas.';

ALTER TABLE ONLY public.prompt_heads
    ADD CONSTRAINT prompt_heads_pkey PRIMARY KEY (tenant_id, name);


-- Table prompts

CREATE TABLE public.prompts (
    tenant_id uuid NOT NULL,
    name text NOT NULL,
    version integer NOT NULL,
    content text NOT NULL,
    note text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    created_by text,
    CONSTRAINT prompts_version_check CHECK ((version > 0))
);

ALTER TABLE ONLY public.prompts FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.prompts IS 'Versions of prompts. They never change: requests have no right to update them.';

ALTER TABLE ONLY public.prompts
    ADD CONSTRAINT prompts_pkey PRIMARY KEY (tenant_id, name, version);


-- Table provider_leases

CREATE TABLE public.provider_leases (
    id uuid NOT NULL,
    name text NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY public.provider_leases FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.provider_leases IS 'One row per call in progress.';

ALTER TABLE ONLY public.provider_leases
    ADD CONSTRAINT provider_leases_pkey PRIMARY KEY (id);

CREATE INDEX provider_leases_by_name ON public.provider_leases USING btree (name);


-- Table provider_limits

CREATE TABLE public.provider_limits (
    name text NOT NULL,
    concurrency integer DEFAULT 16 NOT NULL,
    requests_per_minute integer,
    tokens_per_minute bigint,
    requests_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    tokens_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    blocked_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    failed_at timestamp with time zone,
    opens integer DEFAULT 0 NOT NULL,
    open_until timestamp with time zone,
    probe uuid,
    CONSTRAINT provider_limits_concurrency_check CHECK ((concurrency > 0)),
    CONSTRAINT provider_limits_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
    CONSTRAINT provider_limits_requests_per_minute_check CHECK ((requests_per_minute > 0)),
    CONSTRAINT provider_limits_tokens_per_minute_check CHECK ((tokens_per_minute > 0))
)
WITH (fillfactor='70');

ALTER TABLE ONLY public.provider_limits FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.provider_limits IS 'Limits and circuit breaker per provider:model, shared by all workers. See take_provider_slot and give_provider_slot_back.';

COMMENT ON COLUMN public.provider_limits.requests_until IS 'When the requests sent so far would end if they were spread evenly at requests_per_minute.';

COMMENT ON COLUMN public.provider_limits.tokens_until IS 'The same for tokens.';

COMMENT ON COLUMN public.provider_limits.blocked_until IS 'The provider asked to be left alone until then.';

COMMENT ON COLUMN public.provider_limits.opens IS 'How often the breaker opened since the last success.';

COMMENT ON COLUMN public.provider_limits.probe IS 'The lease of the one call that tests an open breaker.';

ALTER TABLE ONLY public.provider_limits
    ADD CONSTRAINT provider_limits_pkey PRIMARY KEY (name);


-- Table queue_heads

CREATE TABLE public.queue_heads (
    queue text NOT NULL,
    priority integer NOT NULL,
    floor double precision NOT NULL,
    start double precision NOT NULL,
    moved_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
)
WITH (fillfactor='20', autovacuum_vacuum_threshold='200', autovacuum_vacuum_scale_factor='0');

ALTER TABLE ONLY public.queue_heads FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.queue_heads IS 'Where the pending jobs of a queue and priority begin. Claims read from there on: before it are entries of jobs that were claimed, which vacuum cannot remove while a snapshot is held. Moved by workers, forward only.';

COMMENT ON COLUMN public.queue_heads.floor IS 'Claims read turns from here on. It is the start of one move earlier, so that a job whose turn was computed before the move is not behind it. The few that are still behind it are lifted, see lift in db/queue/heads.py.';

COMMENT ON COLUMN public.queue_heads.start IS 'New jobs get this turn or a later one.';

ALTER TABLE ONLY public.queue_heads
    ADD CONSTRAINT queue_heads_pkey PRIMARY KEY (queue, priority);


-- Table schedules

CREATE TABLE public.schedules (
    name text NOT NULL,
    due_at timestamp with time zone NOT NULL,
    last_tick timestamp with time zone
);

ALTER TABLE ONLY public.schedules FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.schedules IS 'When each scheduled kind of job is next due. A tick is fired in the transaction that enqueues its job.';

COMMENT ON COLUMN public.schedules.last_tick IS 'The tick that was last fired. No tick is fired twice.';

ALTER TABLE ONLY public.schedules
    ADD CONSTRAINT schedules_pkey PRIMARY KEY (name);


-- Table schema_heads

CREATE TABLE public.schema_heads (
    tenant_id uuid NOT NULL,
    name text NOT NULL,
    current_version integer DEFAULT 0 NOT NULL,
    newest_version integer DEFAULT 0 NOT NULL,
    deleted_at timestamp with time zone,
    CONSTRAINT schema_heads_check CHECK (((current_version >= 0) AND (current_version <= newest_version))),
    CONSTRAINT schema_heads_name_check CHECK ((name ~ '^[a-z0-9][a-z0-9_-]{0,62}$'::text))
);

ALTER TABLE ONLY public.schema_heads FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.schema_heads IS 'The current version per schema name. The row is also the lock that gives two writers different version numbers. A deleted name keeps its rows: old extractions can still be explained, and no version number is used twice.';

COMMENT ON COLUMN public.schema_heads.current_version IS '0 is the built-in version.';

ALTER TABLE ONLY public.schema_heads
    ADD CONSTRAINT schema_heads_pkey PRIMARY KEY (tenant_id, name);


-- Table schemas

CREATE TABLE public.schemas (
    tenant_id uuid NOT NULL,
    name text NOT NULL,
    version integer NOT NULL,
    content json NOT NULL,
    note text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    created_by text,
    CONSTRAINT schemas_version_check CHECK ((version > 0))
);

ALTER TABLE ONLY public.schemas FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.schemas IS 'Versions of schemas. They never change: requests have no right to update them.';

COMMENT ON COLUMN public.schemas.content IS 'json rather than jsonb, which would not keep the order of fields.';

ALTER TABLE ONLY public.schemas
    ADD CONSTRAINT schemas_pkey PRIMARY KEY (tenant_id, name, version);


-- Table sessions

CREATE TABLE public.sessions (
    token_hash bytea NOT NULL,
    key_id text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    seen_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY public.sessions FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.sessions IS 'Dashboard sessions. Each acts for an API key and ends with it.';

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (token_hash);

CREATE INDEX sessions_by_key ON public.sessions USING btree (key_id);


-- Table sign_in_links

CREATE TABLE public.sign_in_links (
    token_hash bytea NOT NULL,
    key_id text NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY public.sign_in_links FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.sign_in_links IS 'One-time links that start a dashboard session.';

ALTER TABLE ONLY public.sign_in_links
    ADD CONSTRAINT sign_in_links_pkey PRIMARY KEY (token_hash);

CREATE INDEX sign_in_links_by_key ON public.sign_in_links USING btree (key_id);


-- Table spellings

CREATE TABLE public.spellings (
    tenant_id uuid NOT NULL,
    word text NOT NULL,
    term integer NOT NULL,
    since timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

ALTER TABLE ONLY public.spellings FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.spellings IS 'Words of a tenant, for searches with typos. Not unique: two jobs that meet a new word at the same time both insert it, and neither waits for the other.';

CREATE INDEX spellings_by_trigram ON public.spellings USING gin (tenant_id, word public.gin_trgm_ops) WITH (fastupdate=off);

CREATE INDEX spellings_by_word ON public.spellings USING btree (tenant_id, word);


-- Table spending

CREATE TABLE public.spending (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    project_id uuid NOT NULL,
    extraction_id uuid,
    provider text NOT NULL,
    input_tokens bigint NOT NULL,
    output_tokens bigint NOT NULL,
    cached_input_tokens bigint NOT NULL,
    pages integer NOT NULL,
    cost numeric(16,8) NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

ALTER TABLE ONLY public.spending FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.spending IS 'One row per paid call. The rows remain when a project is deleted, because they count against the budget.';

ALTER TABLE ONLY public.spending
    ADD CONSTRAINT spending_pkey PRIMARY KEY (id);

CREATE INDEX spending_by_extraction ON public.spending USING btree (extraction_id) WHERE (extraction_id IS NOT NULL);

CREATE INDEX spending_by_tenant ON public.spending USING btree (tenant_id, created_at);


-- Table spending_months

CREATE TABLE public.spending_months (
    tenant_id uuid NOT NULL,
    month date NOT NULL,
    project_id uuid NOT NULL,
    provider text NOT NULL,
    calls bigint NOT NULL,
    input_tokens bigint NOT NULL,
    output_tokens bigint NOT NULL,
    cached_input_tokens bigint NOT NULL,
    pages bigint NOT NULL,
    cost numeric(16,8) NOT NULL,
    cache_hits bigint DEFAULT 0 NOT NULL,
    saved numeric(16,8) DEFAULT 0 NOT NULL
)
WITH (fillfactor='70');

ALTER TABLE ONLY public.spending_months FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.spending_months IS 'Monthly sums of spending, so that a budget check does not add up a month of rows.';

COMMENT ON COLUMN public.spending_months.cache_hits IS 'Calls that were not made, because a cached response was used.';

COMMENT ON COLUMN public.spending_months.saved IS 'What those responses had cost.';

ALTER TABLE ONLY public.spending_months
    ADD CONSTRAINT spending_months_pkey PRIMARY KEY (tenant_id, month, project_id, provider);


-- Table spending_reservations

CREATE TABLE public.spending_reservations (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    project_id uuid NOT NULL,
    cost numeric(16,8) NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY public.spending_reservations FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.spending_reservations IS 'Upper bounds on the cost of calls in progress, counted against the budget.';

ALTER TABLE ONLY public.spending_reservations
    ADD CONSTRAINT spending_reservations_pkey PRIMARY KEY (id);

CREATE INDEX spending_reservations_by_tenant ON public.spending_reservations USING btree (tenant_id, expires_at);


-- Table tenant_deletions

CREATE TABLE public.tenant_deletions (
    id uuid NOT NULL,
    deleted_tenant_id uuid NOT NULL,
    tenant_name text NOT NULL,
    tenant_created_at timestamp with time zone NOT NULL,
    requested_by json NOT NULL,
    requested_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    rows json,
    objects bigint DEFAULT 0 NOT NULL,
    object_bytes bigint DEFAULT 0 NOT NULL,
    audit_entries bigint,
    audit_head bytea,
    completed_at timestamp with time zone,
    certificate json,
    data_keys integer DEFAULT 0 NOT NULL,
    data_keys_deleted_at timestamp with time zone
);

ALTER TABLE ONLY public.tenant_deletions FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.tenant_deletions IS 'Deletions of tenants and their certificates, which remain. Only the operator sees them. The tenant''s id has another name than in other tables, because it is not a row of the tenant.';

COMMENT ON COLUMN public.tenant_deletions.rows IS 'Rows per table when the deletion began.';

COMMENT ON COLUMN public.tenant_deletions.objects IS 'Blobs that were deleted so far.';

COMMENT ON COLUMN public.tenant_deletions.data_keys IS 'How many keys were deleted at the beginning, which made all blobs unreadable.';

ALTER TABLE ONLY public.tenant_deletions
    ADD CONSTRAINT tenant_deletions_pkey PRIMARY KEY (id);

CREATE UNIQUE INDEX tenant_deletions_by_tenant ON public.tenant_deletions USING btree (deleted_tenant_id);


-- Table tenants

CREATE TABLE public.tenants (
    id uuid NOT NULL,
    name text NOT NULL,
    weight double precision DEFAULT 1 NOT NULL,
    budget_usd numeric(14,4),
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    deleted_at timestamp with time zone,
    limits jsonb DEFAULT '{}'::jsonb NOT NULL,
    quotas jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT tenants_budget_usd_check CHECK ((budget_usd >= (0)::numeric)),
    CONSTRAINT tenants_name_check CHECK ((name ~ '^[a-z0-9][a-z0-9_-]{0,62}$'::text)),
    CONSTRAINT tenants_weight_check CHECK ((weight > (0)::double precision))
);

ALTER TABLE ONLY public.tenants FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN public.tenants.weight IS 'Share of the queue relative to other tenants. See next_turn.';

COMMENT ON COLUMN public.tenants.budget_usd IS 'Limit per calendar month on paid provider calls; null for no limit.';

COMMENT ON COLUMN public.tenants.deleted_at IS 'Since when the tenant is being deleted. It has no usable keys then.';

COMMENT ON COLUMN public.tenants.limits IS 'What replaces the limits of DOCSIEVE_LIMITS for this tenant, by name.';

COMMENT ON COLUMN public.tenants.quotas IS 'The most documents, bytes and pages per month; what is not named has no limit.';

ALTER TABLE ONLY public.tenants
    ADD CONSTRAINT tenants_name_key UNIQUE (name);

ALTER TABLE ONLY public.tenants
    ADD CONSTRAINT tenants_pkey PRIMARY KEY (id);


-- Table uploads

CREATE TABLE public.uploads (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    project_id uuid NOT NULL,
    filename text NOT NULL,
    size bigint NOT NULL,
    sha256 text,
    part_bytes bigint NOT NULL,
    options jsonb NOT NULL,
    sealed_password bytea,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    document_id uuid,
    CONSTRAINT uploads_part_bytes_check CHECK ((part_bytes > 0)),
    CONSTRAINT uploads_size_check CHECK ((size > 0))
);

ALTER TABLE ONLY public.uploads FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.uploads IS 'Files that clients send to the blob store themselves, in parts. Completed, an upload is a document.';

COMMENT ON COLUMN public.uploads.sha256 IS 'What the client says; null if it does not know yet.';

COMMENT ON COLUMN public.uploads.options IS 'The options of the upload, except its password.';

COMMENT ON COLUMN public.uploads.expires_at IS 'When the signed requests end. An upload that is not completed is deleted then.';

COMMENT ON COLUMN public.uploads.document_id IS 'What the completed upload became, which may have been deleted since.';

ALTER TABLE ONLY public.uploads
    ADD CONSTRAINT uploads_pkey PRIMARY KEY (id);

CREATE INDEX uploads_by_project ON public.uploads USING btree (project_id);

CREATE INDEX uploads_by_tenant ON public.uploads USING btree (tenant_id);

CREATE INDEX uploads_to_delete ON public.uploads USING btree (expires_at);


-- Table usage_counts

CREATE TABLE public.usage_counts (
    tenant_id uuid NOT NULL,
    month date NOT NULL,
    shard smallint NOT NULL,
    documents bigint DEFAULT 0 NOT NULL,
    bytes bigint DEFAULT 0 NOT NULL,
    pages bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='50');

ALTER TABLE ONLY public.usage_counts FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.usage_counts IS 'Documents and bytes taken in and pages read by a tenant in a month of UTC, whether or not they were deleted since. In several rows, so that uploads at the same time rarely wait for each other. See count_usage.';

ALTER TABLE ONLY public.usage_counts
    ADD CONSTRAINT usage_counts_pkey PRIMARY KEY (tenant_id, month, shard);


-- Table webhook_attempts

CREATE TABLE public.webhook_attempts (
    delivery_id uuid NOT NULL,
    number integer NOT NULL,
    tenant_id uuid NOT NULL,
    project_id uuid,
    started_at timestamp with time zone NOT NULL,
    duration_ms integer NOT NULL,
    status integer,
    error_code text,
    response text DEFAULT ''::text NOT NULL
);

ALTER TABLE ONLY public.webhook_attempts FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.webhook_attempts IS 'What became of each attempt to deliver a message.';

COMMENT ON COLUMN public.webhook_attempts.duration_ms IS 'For an interrupted attempt, until that was noticed.';

COMMENT ON COLUMN public.webhook_attempts.response IS 'The beginning of the answer, at most 4 KB. Untrusted.';

ALTER TABLE ONLY public.webhook_attempts
    ADD CONSTRAINT webhook_attempts_pkey PRIMARY KEY (delivery_id, number);


-- Table webhook_deliveries

CREATE TABLE public.webhook_deliveries (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    project_id uuid,
    endpoint_id uuid,
    url text,
    event_id uuid NOT NULL,
    event_type text NOT NULL,
    event_created_at timestamp with time zone NOT NULL,
    subject_id uuid,
    document_id uuid,
    data jsonb NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    job_id uuid NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamp with time zone,
    last_attempt_at timestamp with time zone,
    last_status integer,
    last_error text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    expires_at timestamp with time zone DEFAULT (clock_timestamp() + '3 days'::interval) NOT NULL,
    completed_at timestamp with time zone,
    CONSTRAINT webhook_deliveries_check CHECK (((endpoint_id IS NULL) <> (url IS NULL))),
    CONSTRAINT webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text, 'cancelled'::text])))
)
WITH (fillfactor='70');

ALTER TABLE ONLY public.webhook_deliveries FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.webhook_deliveries IS 'One event to one receiver. Written in the transaction of the event, see dispatch_event. The body of the message is not stored but made for each attempt, so that it is gone when its document is.';

COMMENT ON COLUMN public.webhook_deliveries.url IS 'The webhook_url of the document, extraction or batch; null for an endpoint.';

COMMENT ON COLUMN public.webhook_deliveries.event_id IS 'The id of the message. The event itself is pruned earlier.';

COMMENT ON COLUMN public.webhook_deliveries.data IS 'The data of the event.';

COMMENT ON COLUMN public.webhook_deliveries.job_id IS 'The job that makes the next attempt. Other jobs change nothing.';

COMMENT ON COLUMN public.webhook_deliveries.attempts IS 'Number of attempts in webhook_attempts.';

COMMENT ON COLUMN public.webhook_deliveries.tries IS 'Position in the schedule of retries. A replay starts it again.';

COMMENT ON COLUMN public.webhook_deliveries.last_status IS 'HTTP status of the last attempt, null if there was no answer.';

COMMENT ON COLUMN public.webhook_deliveries.expires_at IS 'After this time no attempt waits for a receiver that is down.';

ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id);

CREATE INDEX webhook_deliveries_by_document ON public.webhook_deliveries USING btree (document_id) WHERE (document_id IS NOT NULL);

CREATE UNIQUE INDEX webhook_deliveries_by_endpoint ON public.webhook_deliveries USING btree (endpoint_id, event_id) WHERE (endpoint_id IS NOT NULL);

CREATE INDEX webhook_deliveries_by_subject ON public.webhook_deliveries USING btree (subject_id) WHERE (subject_id IS NOT NULL);

CREATE INDEX webhook_deliveries_by_tenant ON public.webhook_deliveries USING btree (tenant_id, id);


-- Table webhook_endpoints

CREATE TABLE public.webhook_endpoints (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    project_id uuid,
    url text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    events text[] DEFAULT '{}'::text[] NOT NULL,
    payload text DEFAULT 'thin'::text NOT NULL,
    enabled boolean DEFAULT true NOT NULL,
    disabled_reason text,
    disabled_at timestamp with time zone,
    public_key text,
    failures integer DEFAULT 0 NOT NULL,
    failing_since timestamp with time zone,
    opens integer DEFAULT 0 NOT NULL,
    open_until timestamp with time zone,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT webhook_endpoints_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['gone'::text, 'refused'::text, 'failing'::text]))),
    CONSTRAINT webhook_endpoints_payload_check CHECK ((payload = ANY (ARRAY['thin'::text, 'full'::text])))
)
WITH (fillfactor='70');

ALTER TABLE ONLY public.webhook_endpoints FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.webhook_endpoints IS 'URLs that receive events of a tenant, or of one project.';

COMMENT ON COLUMN public.webhook_endpoints.project_id IS 'If set, the endpoint gets events of this project only.';

COMMENT ON COLUMN public.webhook_endpoints.events IS 'Types of events that it gets; all if empty.';

COMMENT ON COLUMN public.webhook_endpoints.payload IS '`thin` has ids and links, `full` the document, extraction or batch too.';

COMMENT ON COLUMN public.webhook_endpoints.disabled_reason IS 'Why it was disabled without being asked: it answered 410, its answer said so, or it failed for days.';

COMMENT ON COLUMN public.webhook_endpoints.public_key IS 'Verifies its asymmetric signatures, if it has such a key.';

COMMENT ON COLUMN public.webhook_endpoints.failures IS 'Failed attempts since the last success.';

COMMENT ON COLUMN public.webhook_endpoints.failing_since IS 'The first of them.';

COMMENT ON COLUMN public.webhook_endpoints.opens IS 'How often the circuit breaker opened since the last success.';

COMMENT ON COLUMN public.webhook_endpoints.open_until IS 'Nothing is sent before, other than tests.';

ALTER TABLE ONLY public.webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (id);

CREATE INDEX webhook_endpoints_by_project ON public.webhook_endpoints USING btree (project_id) WHERE (project_id IS NOT NULL);

CREATE INDEX webhook_endpoints_by_tenant ON public.webhook_endpoints USING btree (tenant_id, id DESC);


-- Table webhook_secrets

CREATE TABLE public.webhook_secrets (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    project_id uuid,
    endpoint_id uuid,
    kind text NOT NULL,
    sealed bytea NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    expires_at timestamp with time zone,
    CONSTRAINT webhook_secrets_kind_check CHECK ((kind = ANY (ARRAY['hmac'::text, 'ed25519'::text])))
);

ALTER TABLE ONLY public.webhook_secrets FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE public.webhook_secrets IS 'What messages are signed with. While an old secret has not expired, messages have a signature with each.';

COMMENT ON COLUMN public.webhook_secrets.endpoint_id IS 'Null for the secret of the tenant, which signs messages to one-off URLs.';

ALTER TABLE ONLY public.webhook_secrets
    ADD CONSTRAINT webhook_secrets_pkey PRIMARY KEY (id);

CREATE INDEX webhook_secrets_by_owner ON public.webhook_secrets USING btree (COALESCE(endpoint_id, tenant_id));

CREATE UNIQUE INDEX webhook_secrets_current ON public.webhook_secrets USING btree (COALESCE(endpoint_id, tenant_id), kind) WHERE (expires_at IS NULL);


-- Tables: foreign keys

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.archive_entries
    ADD CONSTRAINT archive_entries_archive_id_fkey FOREIGN KEY (archive_id) REFERENCES public.documents(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.archive_entries
    ADD CONSTRAINT archive_entries_document_id_fkey FOREIGN KEY (document_id) REFERENCES public.documents(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.archives
    ADD CONSTRAINT archives_document_id_fkey FOREIGN KEY (document_id) REFERENCES public.documents(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.attempts
    ADD CONSTRAINT attempts_job_id_fkey FOREIGN KEY (job_id) REFERENCES public.jobs(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.batch_counts
    ADD CONSTRAINT batch_counts_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES public.batches(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.batch_documents
    ADD CONSTRAINT batch_documents_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES public.batches(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.batch_documents
    ADD CONSTRAINT batch_documents_document_id_fkey FOREIGN KEY (document_id) REFERENCES public.documents(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.batch_specs
    ADD CONSTRAINT batch_specs_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES public.batches(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.batches
    ADD CONSTRAINT batches_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);

ALTER TABLE ONLY public.cached_responses
    ADD CONSTRAINT cached_responses_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.chunk_vectors
    ADD CONSTRAINT chunk_vectors_chunk_id_fkey FOREIGN KEY (chunk_id) REFERENCES public.chunks(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.chunk_vectors
    ADD CONSTRAINT chunk_vectors_embedder_id_fkey FOREIGN KEY (embedder_id) REFERENCES public.embedders(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.chunks
    ADD CONSTRAINT chunks_document_id_fkey FOREIGN KEY (document_id) REFERENCES public.documents(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.chunks
    ADD CONSTRAINT chunks_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.corrections
    ADD CONSTRAINT corrections_document_id_fkey FOREIGN KEY (document_id) REFERENCES public.documents(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.corrections
    ADD CONSTRAINT corrections_extraction_id_fkey FOREIGN KEY (extraction_id) REFERENCES public.extractions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.corrections
    ADD CONSTRAINT corrections_undoes_fkey FOREIGN KEY (undoes) REFERENCES public.corrections(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.data_keys
    ADD CONSTRAINT data_keys_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.document_classes
    ADD CONSTRAINT document_classes_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.document_fields
    ADD CONSTRAINT document_fields_document_id_fkey FOREIGN KEY (document_id) REFERENCES public.documents(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.document_fields
    ADD CONSTRAINT document_fields_extraction_id_fkey FOREIGN KEY (extraction_id) REFERENCES public.extractions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.documents
    ADD CONSTRAINT documents_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES public.documents(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.documents
    ADD CONSTRAINT documents_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);

ALTER TABLE ONLY public.extraction_documents
    ADD CONSTRAINT extraction_documents_document_id_fkey FOREIGN KEY (document_id) REFERENCES public.documents(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.extraction_documents
    ADD CONSTRAINT extraction_documents_extraction_id_fkey FOREIGN KEY (extraction_id) REFERENCES public.extractions(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.extractions
    ADD CONSTRAINT extractions_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES public.batches(id);

ALTER TABLE ONLY public.extractions
    ADD CONSTRAINT extractions_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_document_id_fkey FOREIGN KEY (document_id) REFERENCES public.documents(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_document_id_fkey FOREIGN KEY (document_id) REFERENCES public.documents(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.lessons
    ADD CONSTRAINT lessons_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.packets
    ADD CONSTRAINT packets_document_id_fkey FOREIGN KEY (document_id) REFERENCES public.documents(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.packets
    ADD CONSTRAINT packets_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);

ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.prompt_heads
    ADD CONSTRAINT prompt_heads_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.prompts
    ADD CONSTRAINT prompts_tenant_id_name_fkey FOREIGN KEY (tenant_id, name) REFERENCES public.prompt_heads(tenant_id, name) ON DELETE CASCADE;

ALTER TABLE ONLY public.provider_leases
    ADD CONSTRAINT provider_leases_name_fkey FOREIGN KEY (name) REFERENCES public.provider_limits(name) ON DELETE CASCADE;

ALTER TABLE ONLY public.schema_heads
    ADD CONSTRAINT schema_heads_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.schemas
    ADD CONSTRAINT schemas_tenant_id_name_fkey FOREIGN KEY (tenant_id, name) REFERENCES public.schema_heads(tenant_id, name) ON DELETE CASCADE;

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.api_keys(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.sign_in_links
    ADD CONSTRAINT sign_in_links_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.api_keys(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.spending_months
    ADD CONSTRAINT spending_months_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.spending_reservations
    ADD CONSTRAINT spending_reservations_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.spending
    ADD CONSTRAINT spending_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.uploads
    ADD CONSTRAINT uploads_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.uploads
    ADD CONSTRAINT uploads_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.usage_counts
    ADD CONSTRAINT usage_counts_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.webhook_attempts
    ADD CONSTRAINT webhook_attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES public.webhook_deliveries(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.webhook_deliveries
    ADD CONSTRAINT webhook_deliveries_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES public.webhook_endpoints(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.webhook_endpoints
    ADD CONSTRAINT webhook_endpoints_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.webhook_secrets
    ADD CONSTRAINT webhook_secrets_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES public.webhook_endpoints(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.webhook_secrets
    ADD CONSTRAINT webhook_secrets_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.webhook_secrets
    ADD CONSTRAINT webhook_secrets_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES public.tenants(id) ON DELETE CASCADE;


-- Function accept_document

CREATE FUNCTION public.accept_document(in_tenant uuid, in_scope_project uuid, in_api_key text, in_upload jsonb, OUT project text, OUT metadata jsonb, OUT duplicate_of uuid, OUT created_at timestamp with time zone) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
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
    if in_upload ->> 'delete_after' is not null then
        update documents set delete_after = (in_upload ->> 'delete_after')::timestamptz where id = document.id;
    end if;
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


ALTER FUNCTION public.accept_document(in_tenant uuid, in_scope_project uuid, in_api_key text, in_upload jsonb, OUT project text, OUT metadata jsonb, OUT duplicate_of uuid, OUT created_at timestamp with time zone) OWNER TO docsieve_app;

COMMENT ON FUNCTION public.accept_document(in_tenant uuid, in_scope_project uuid, in_api_key text, in_upload jsonb, OUT project text, OUT metadata jsonb, OUT duplicate_of uuid, OUT created_at timestamp with time zone) IS 'Records an upload in one round trip: checks the API key again, then adds the document, its job and its Idempotency-Key, or nothing. Returns null for project if there is no such project. Raises DS401 for an API key that is no longer valid and DS409 for an Idempotency-Key that was used before. Belongs to docsieve_app and runs as its owner, so row-level security applies to it as to any other request.';


-- Function accept_into_batch

CREATE FUNCTION public.accept_into_batch(in_tenant uuid, in_scope_project uuid, in_api_key text, in_batch uuid, in_upload jsonb, OUT project text, OUT metadata jsonb, OUT duplicate_of uuid, OUT created_at timestamp with time zone) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
    batch batches;
    batch_project text;
begin
    perform set_config('docsieve.tenant_id', in_tenant::text, true),
            set_config('docsieve.project_id', coalesce(in_scope_project::text, ''), true);
    select * into batch from batches where tenant_id = in_tenant and id = in_batch for key share;
    if not found then
        raise exception using errcode = 'DS422', message = 'there is no such batch';
    end if;
    if batch.status = 'cancelled' then
        raise exception using errcode = 'DS423', message = 'the batch was cancelled';
    end if;
    select name into batch_project from projects where id = batch.project_id;
    if in_upload ->> 'project' is distinct from batch_project and in_upload ->> 'project' is not null then
        raise exception using errcode = 'DS424', message = 'the batch is in another project';
    end if;
    in_upload := jsonb_set(in_upload, '{project}', to_jsonb(batch_project));
    in_upload := jsonb_set(
        in_upload, '{job,priority}', to_jsonb((in_upload #>> '{job,priority}')::integer + batch.priority));
    if batch.split is not null and in_upload #> '{document,reading,split}' is null then
        in_upload := jsonb_set(in_upload, '{document,reading,split}', to_jsonb(batch.split));
    end if;
    select accepted.* into project, metadata, duplicate_of, created_at
    from accept_document(in_tenant, in_scope_project, in_api_key, in_upload) as accepted;
    insert into batch_documents (batch_id, document_id, tenant_id, project_id, uploaded)
    values (in_batch, (in_upload #>> '{document,id}')::uuid, in_tenant, batch.project_id, true);
end $$;


ALTER FUNCTION public.accept_into_batch(in_tenant uuid, in_scope_project uuid, in_api_key text, in_batch uuid, in_upload jsonb, OUT project text, OUT metadata jsonb, OUT duplicate_of uuid, OUT created_at timestamp with time zone) OWNER TO docsieve_app;

COMMENT ON FUNCTION public.accept_into_batch(in_tenant uuid, in_scope_project uuid, in_api_key text, in_batch uuid, in_upload jsonb, OUT project text, OUT metadata jsonb, OUT duplicate_of uuid, OUT created_at timestamp with time zone) IS 'accept_document for an upload into a batch: the document gets the batch''s project, priority and, unless the upload says otherwise, its option to split packets. Raises DS422 if there is no such batch, DS423 if it was cancelled, and DS424 if the upload names another project.';


-- Function add_document

CREATE FUNCTION public.add_document(in_tenant uuid, in_document jsonb, in_job jsonb) RETURNS public.documents
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
    document documents;
    moment timestamptz := clock_timestamp();
    starts timestamptz := in_job ->> 'run_at';
    reason text := 'run_at';
begin
    insert into documents (id, tenant_id, project_id, job_id, status, filename, media_type, size, sha256,
                           sealed_password, duplicate_of, parent_id, parent_path, depth, schema_ref, engine, reading,
                           webhook_url, metadata, persist_data, source, sealed_source, created_at, updated_at)
    values ((in_document ->> 'id')::uuid, in_tenant, (in_document ->> 'project_id')::uuid, (in_job ->> 'id')::uuid,
            document_status(in_job ->> 'job_type', 'pending'),
            in_document ->> 'filename', in_document ->> 'media_type', (in_document ->> 'size')::bigint,
            in_document ->> 'sha256', (in_document ->> 'sealed_password')::bytea,
            (select id from documents
             where tenant_id = in_tenant and sha256 = in_document ->> 'sha256' order by id limit 1),
            (in_document ->> 'parent_id')::uuid, in_document ->> 'parent_path',
            (in_document ->> 'depth')::smallint, in_document ->> 'schema_ref', in_document ->> 'engine',
            in_document -> 'reading', in_document ->> 'webhook_url', in_document -> 'metadata',
            coalesce((in_document ->> 'persist_data')::boolean, true),
            in_document ->> 'source', (in_document ->> 'sealed_source')::bytea, moment, moment)
    returning * into document;
    if starts is null and not coalesce((in_job ->> 'urgent')::boolean, false) then
        reason := 'processing_window';
        select processing_window_opens(processing_window, false, moment) into starts
        from projects where tenant_id = in_tenant and id = document.project_id;
    end if;
    if starts <= moment then
        starts := null;
    end if;
    insert into jobs (id, tenant_id, project_id, document_id, job_type, args, queue, priority, max_attempts, turn,
                      status, run_at, deferred_by)
    select document.job_id, in_tenant, document.project_id, document.id, in_job ->> 'job_type', in_job -> 'args',
           in_job ->> 'queue', (in_job ->> 'priority')::integer, (in_job ->> 'max_attempts')::integer,
           next_turn(in_job ->> 'queue', (in_job ->> 'priority')::integer, in_tenant, 1 / weight),
           case when starts is null then 'pending' else 'scheduled' end, starts,
           case when starts is not null then reason end
    from tenants where id = in_tenant;
    return document;
end $$;

COMMENT ON FUNCTION public.add_document(in_tenant uuid, in_document jsonb, in_job jsonb) IS 'Inserts a document and the job that reads it, with the job at the tenant''s next turn. The arguments are rows of documents and jobs as JSON. Without a run_at, a job that is not urgent waits for the processing window of its project.';


-- Function announce_batch

CREATE FUNCTION public.announce_batch() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
    perform emit_event(
        new.tenant_id, new.project_id, 'batch.completed', new.id, null, new.id,
        jsonb_build_object('batch_id', new.id, 'status', new.status));
    return null;
end $$;

COMMENT ON FUNCTION public.announce_batch() IS 'Says that all extractions of a batch are final.';


-- Function announce_correction

CREATE FUNCTION public.announce_correction() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
    documents uuid[];
begin
    if exists (
        select from events where tenant_id = new.tenant_id and txid = pg_current_xact_id()
        and type = 'extraction.corrected' and subject_id = new.extraction_id)
    then
        return null;
    end if;
    documents := array(
        select document_id from extraction_documents where extraction_id = new.extraction_id order by position);
    perform emit_event(
        new.tenant_id, new.project_id, 'extraction.corrected', new.extraction_id,
        case when cardinality(documents) = 1 then documents[1] end,
        (select batch_id from extractions where id = new.extraction_id),
        jsonb_strip_nulls(jsonb_build_object(
            'extraction_id', new.extraction_id, 'correction_id', new.id,
            'document_id', case when cardinality(documents) = 1 then documents[1] end)),
        case when cardinality(documents) > 1 then documents end);
    return null;
end $$;

COMMENT ON FUNCTION public.announce_correction() IS 'Says that people changed or confirmed values of an extraction, once however many values they sent together.';


-- Function announce_document

CREATE FUNCTION public.announce_document() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
    batches uuid[] := array(select batch_id from batch_documents where document_id = new.id order by batch_id);
begin
    perform emit_event(
        new.tenant_id, new.project_id,
        case new.status when 'unpacked' then 'archive.unpacked' else 'document.' || new.status end,
        new.id, new.id, batches[1],
        jsonb_strip_nulls(jsonb_build_object(
            'document_id', new.id, 'status', new.status, 'error_code', new.error_code, 'parent_id', new.parent_id,
            'batch_id', batches[1])),
        case when cardinality(batches) > 1 then batches end);
    return null;
end $$;

COMMENT ON FUNCTION public.announce_document() IS 'Says that a document was read, an archive unpacked, or that it failed.';


-- Function announce_extraction

CREATE FUNCTION public.announce_extraction() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
    extraction record;
    documents uuid[];
    about jsonb;
    kind text;
begin
    select status, error_code, needs_review, is_report into extraction from extractions where id = new.id;
    if extraction.status is distinct from new.status then
        return null;  -- deleted, or its status changed again in the same transaction
    end if;
    documents := array(select document_id from extraction_documents where extraction_id = new.id order by position);
    about := jsonb_strip_nulls(jsonb_build_object(
        'extraction_id', new.id, 'status', extraction.status, 'error_code', extraction.error_code,
        'needs_review', extraction.needs_review, 'batch_id', new.batch_id,
        'document_id', case when cardinality(documents) = 1 then documents[1] end));
    foreach kind in array array_remove(array[
        case when old.status is distinct from new.status then 'extraction.' || new.status end,
        case when extraction.needs_review then 'extraction.needs_review' end,
        case when extraction.is_report and old.status is distinct from new.status then 'report.' || new.status end],
        null)
    loop
        perform emit_event(
            new.tenant_id, new.project_id, kind, new.id,
            case when cardinality(documents) = 1 then documents[1] end, new.batch_id,
            case when kind like 'report.%' then about || jsonb_build_object('report_id', new.id) else about end,
            case when cardinality(documents) > 1 then documents end);
    end loop;
    return null;
end $$;

COMMENT ON FUNCTION public.announce_extraction() IS 'Says that an extraction or a report was completed or has failed, and that it needs review. Deferred to the commit, because the job of an extraction ends before its result is written. Triggers run in the order of their names: this one before count_extraction, so that batch.completed comes after the extractions of the batch.';


-- Function append_audit

CREATE FUNCTION public.append_audit(in_tenant uuid, in_entries jsonb) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
    head audit_heads;
    added audit_log;
    given jsonb;
begin
    if current_setting('role') = 'docsieve_app' and in_tenant is distinct from scope_tenant() then
        raise insufficient_privilege using message = 'the audit log of another tenant';
    end if;
    insert into audit_heads (tenant_id, entries, hash) values (in_tenant, 0, '') on conflict do nothing;
    select * into head from audit_heads where tenant_id = in_tenant for update;
    for given in select value from jsonb_array_elements(in_entries) with ordinality order by ordinality loop
        head.entries := head.entries + 1;
        added.tenant_id := in_tenant;
        added.number := head.entries;
        added.at := clock_timestamp();
        added.project_id := (given ->> 'project_id')::uuid;
        added.actor_kind := given ->> 'actor_kind';
        added.actor_id := given ->> 'actor_id';
        added.actor_name := given ->> 'actor_name';
        added.remote_address := given ->> 'remote_address';
        added.forwarded_for := given ->> 'forwarded_for';
        added.action := given ->> 'action';
        added.object_type := given ->> 'object_type';
        added.object_id := given ->> 'object_id';
        added.details := (given ->> 'details')::json;
        added.hash := audit_hash(head.hash, added);
        insert into audit_log select added.*;
        head.hash := added.hash;
    end loop;
    update audit_heads set entries = head.entries, hash = head.hash where tenant_id = in_tenant;
end $$;

COMMENT ON FUNCTION public.append_audit(in_tenant uuid, in_entries jsonb) IS 'Adds entries to the audit log of a tenant, in the order of the array. Their details are JSON in a string. Locks the head of the log until the transaction ends, so it should be the last statement before the commit. Runs as the owner: requests can add entries in no other way, and cannot change or delete any.';

REVOKE ALL ON FUNCTION public.append_audit(in_tenant uuid, in_entries jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.append_audit(in_tenant uuid, in_entries jsonb) TO docsieve_app;


-- Function audit_hash

CREATE FUNCTION public.audit_hash(previous bytea, entry public.audit_log) RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'public', 'pg_temp'
    AS $$
    select sha256(previous || convert_to(string_agg(
        case when value is null then '-' else octet_length(value) || ':' || value end, ',' order by place), 'UTF8'))
    from unnest(array[
        entry.tenant_id::text, entry.number::text, (extract(epoch from entry.at) * 1000000)::bigint::text,
        entry.project_id::text, entry.actor_kind, entry.actor_id, entry.actor_name, entry.remote_address,
        entry.forwarded_for, entry.action, entry.object_type, entry.object_id, entry.details::text])
        with ordinality as fields (value, place)
$$;

COMMENT ON FUNCTION public.audit_hash(previous bytea, entry public.audit_log) IS 'SHA-256 of the hash before and the fields of an entry, each with its length, so that no two entries are written the same way. The same as entry_hash in domain/audit.py.';


-- Function batch_follows_starting_job

CREATE FUNCTION public.batch_follows_starting_job() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
    update batches set starting_job = null, error_code = new.error_code, error_message = new.error_message,
        status = case when status <> 'running' or open_shards > 0 then status
            when exists (select from batch_counts where batch_id = batches.id and total > 0) then 'completed'
            else 'pending_configuration' end
    where starting_job = new.id and tenant_id = new.tenant_id;
    return null;
end $$;

COMMENT ON FUNCTION public.batch_follows_starting_job() IS 'A batch whose start failed or was cancelled can be configured and started again.';


-- Function batch_shard

CREATE FUNCTION public.batch_shard(extraction_id uuid) RETURNS smallint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    select (get_byte(uuid_send(extraction_id), 15) % 32)::smallint
$$;

COMMENT ON FUNCTION public.batch_shard(extraction_id uuid) IS 'The row of batch_counts that counts this extraction.';


-- Function check_quotas

CREATE FUNCTION public.check_quotas(in_tenant uuid) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
    quotas jsonb;
    used record;
begin
    select tenants.quotas into quotas from tenants where id = in_tenant;
    if quotas = '{}' then
        return;
    end if;
    select sum(counts.documents) as documents, sum(counts.bytes) as bytes, sum(counts.pages) as pages into used
    from usage_counts as counts
    where tenant_id = in_tenant and month = date_trunc('month', clock_timestamp() at time zone 'utc')::date;
    if used.documents > (quotas ->> 'documents')::bigint then
        raise exception using errcode = 'DS402', message = 'documents';
    elsif used.bytes > (quotas ->> 'bytes')::bigint then
        raise exception using errcode = 'DS402', message = 'bytes';
    elsif used.pages >= (quotas ->> 'pages')::bigint then
        raise exception using errcode = 'DS402', message = 'pages';
    end if;
end $$;

COMMENT ON FUNCTION public.check_quotas(in_tenant uuid) IS 'Raises DS402 with the name of a quota that the tenant exceeds. Transactions at the same time do not see each other, so together they may exceed it by what they add. Runs as the owner because requests may not read other tenants.';

REVOKE ALL ON FUNCTION public.check_quotas(in_tenant uuid) FROM PUBLIC;


-- Function close_shards

CREATE FUNCTION public.close_shards(in_batch uuid, in_count integer) RETURNS void
    LANGUAGE sql
    SET search_path TO 'public', 'pg_temp'
    AS $$
    update batches set open_shards = open_shards - in_count,
        status = case when status = 'running' and open_shards = in_count and starting_job is null
            then 'completed' else status end,
        completed_at = case when status = 'running' and open_shards = in_count and starting_job is null
            then clock_timestamp() else completed_at end
    where id = in_batch
$$;

COMMENT ON FUNCTION public.close_shards(in_batch uuid, in_count integer) IS 'Completes the batch if none of its shards has unfinished extractions any more.';


-- Function copy_newest_extraction

CREATE FUNCTION public.copy_newest_extraction() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
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

COMMENT ON FUNCTION public.copy_newest_extraction() IS 'Copies confidence and needs_review of the newest completed extraction to its documents, because lists of documents are sorted and filtered by them, and marks older extractions as superseded. Rows are locked in the order of their ids, so that two extractions over the same documents do not deadlock.';


-- Function count_added_documents

CREATE FUNCTION public.count_added_documents() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
    added_by record;
begin
    for added_by in
        select tenant_id, count(*) as documents, coalesce(sum(size), 0)::bigint as bytes from added group by 1
    loop
        perform count_usage(added_by.tenant_id, added_by.documents, added_by.bytes, 0);
        perform check_quotas(added_by.tenant_id);
    end loop;
    return null;
end $$;

COMMENT ON FUNCTION public.count_added_documents() IS 'Counts documents as they are added, however that happens, and raises DS402 if they exceed a quota.';


-- Function count_downloaded_bytes

CREATE FUNCTION public.count_downloaded_bytes() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
    perform count_usage(new.tenant_id, 0, new.size, 0);
    perform check_quotas(new.tenant_id);
    return null;
end $$;

COMMENT ON FUNCTION public.count_downloaded_bytes() IS 'Counts the bytes of a document that was downloaded, whose size was not known when it was added, and raises DS402 if they exceed a quota.';


-- Function count_ended_job

CREATE FUNCTION public.count_ended_job() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
    if old.status in ('completed', 'failed', 'cancelled') then
        insert into job_counts values (old.tenant_id, old.project_id, old.queue, old.job_type, old.status, -1);
    end if;
    if new.status in ('failed', 'cancelled') then
        insert into job_counts values (new.tenant_id, new.project_id, new.queue, new.job_type, new.status, 1);
    end if;
    return null;
end $$;

COMMENT ON FUNCTION public.count_ended_job() IS 'Counts jobs that fail, are cancelled or are retried. As a trigger of statements it would see every claim, beat and completion.';


-- Function count_extraction

CREATE FUNCTION public.count_extraction() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
    was_open integer := (old.status in ('pending', 'processing'))::integer;
    is_open integer := (new.status in ('pending', 'processing'))::integer;
    left_open integer;
begin
    if current_setting('docsieve.recounted_batch', true) = new.batch_id::text then
        return null;
    end if;
    update batch_counts set
        completed = completed + (new.status = 'completed')::integer - (old.status = 'completed')::integer,
        failed = failed + (new.status = 'failed')::integer - (old.status = 'failed')::integer,
        cancelled = cancelled + (new.status = 'cancelled')::integer - (old.status = 'cancelled')::integer,
        needs_review = needs_review
            + coalesce(new.needs_review, false)::integer - coalesce(old.needs_review, false)::integer
    where batch_id = new.batch_id and shard = batch_shard(new.id)
    returning total - completed - failed - cancelled into left_open;
    if was_open > is_open and left_open = 0 then
        perform close_shards(new.batch_id, 1);
    elsif is_open > was_open and left_open = 1 then
        update batches set open_shards = open_shards + 1,
            status = case status when 'completed' then 'running' else status end,
            completed_at = case status when 'completed' then null else completed_at end
        where id = new.batch_id;
    end if;
    return null;
end $$;

COMMENT ON FUNCTION public.count_extraction() IS 'Keeps batch_counts. The extraction that finishes the last open one of its shard also closes the shard, and the last shard to be closed completes the batch: a transaction sees all earlier ones of its shard, because they lock the same row. Deferred to the commit, so that the row is locked for a moment only. A transaction that changes many extractions counts them itself: see recount_batch.';


-- Function count_read_pages

CREATE FUNCTION public.count_read_pages() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
    perform count_usage(new.tenant_id, 0, 0, new.page_count);
    return null;
end $$;

COMMENT ON FUNCTION public.count_read_pages() IS 'Counts the pages of a document that was really read, not found read before.';


-- Function count_usage

CREATE FUNCTION public.count_usage(in_tenant uuid, in_documents bigint, in_bytes bigint, in_pages bigint) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    insert into usage_counts as counts (tenant_id, month, shard, documents, bytes, pages)
    values (in_tenant, date_trunc('month', clock_timestamp() at time zone 'utc')::date,
            pg_backend_pid() % 32, in_documents, in_bytes, in_pages)
    on conflict (tenant_id, month, shard) do update set documents = counts.documents + excluded.documents,
        bytes = counts.bytes + excluded.bytes, pages = counts.pages + excluded.pages
$$;

COMMENT ON FUNCTION public.count_usage(in_tenant uuid, in_documents bigint, in_bytes bigint, in_pages bigint) IS 'Adds to usage_counts, in a row that other server processes rarely use. Runs as the owner because requests may only read the table.';

REVOKE ALL ON FUNCTION public.count_usage(in_tenant uuid, in_documents bigint, in_bytes bigint, in_pages bigint) FROM PUBLIC;


-- Function delete_deliveries_about

CREATE FUNCTION public.delete_deliveries_about() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
    delete from webhook_deliveries where subject_id in (select id from deleted);
    if tg_table_name = 'documents' then
        delete from webhook_deliveries where document_id in (select id from deleted);
    end if;
    return null;
end $$;

COMMENT ON FUNCTION public.delete_deliveries_about() IS 'Deletes deliveries with what receivers answered to them together with the document, extraction or batch they are about.';


-- Function delete_extractions_without_documents

CREATE FUNCTION public.delete_extractions_without_documents() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
    delete from extractions
    where id in (select extraction_id from deleted)
      and not exists (select from extraction_documents as remaining where remaining.extraction_id = extractions.id);
    return null;
end $$;

COMMENT ON FUNCTION public.delete_extractions_without_documents() IS 'Deletes an extraction together with the last of its documents.';


-- Function delete_responses_about_documents

CREATE FUNCTION public.delete_responses_about_documents() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
    delete from cached_responses
    where document_ids && (select coalesce(array_agg(id), '{}') from deleted)
      and tenant_id in (select tenant_id from deleted);
    return null;
end $$;

COMMENT ON FUNCTION public.delete_responses_about_documents() IS 'Deletes cached provider responses together with their documents.';


-- Function delivery_attempt_lost

CREATE FUNCTION public.delivery_attempt_lost() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
    with interrupted as (
        update webhook_deliveries set attempts = attempts + 1, last_attempt_at = old.started_at, last_status = null,
            last_error = 'interrupted'
        where id = (new.args ->> 'delivery_id')::uuid and job_id = new.id and status = 'pending'
        returning id, tenant_id, project_id, attempts)
    insert into webhook_attempts (delivery_id, number, tenant_id, project_id, started_at, duration_ms, error_code)
    select id, attempts, tenant_id, project_id, old.started_at,
           extract(epoch from clock_timestamp() - old.started_at) * 1000, 'interrupted'
    from interrupted;
    return null;
end $$;

COMMENT ON FUNCTION public.delivery_attempt_lost() IS 'Logs the attempt of a worker that was lost. Whether the receiver got the message is not known. Triggers run in the order of their names: this one before delivery_follows_job, which may give the delivery another job.';


-- Function delivery_follows_job

CREATE FUNCTION public.delivery_follows_job() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
    delivery webhook_deliveries;
begin
    if new.status = 'failed' then
        update webhook_deliveries set job_id = new_event_id(), tries = tries + 1, last_error = new.error_code,
            next_attempt_at = clock_timestamp() + interval '5 minutes'
        where id = (new.args ->> 'delivery_id')::uuid and job_id = new.id and status = 'pending'
          and expires_at > clock_timestamp()
        returning * into delivery;
        if found then
            perform enqueue_deliveries(delivery.tenant_id, delivery.project_id, array[delivery.id],
                array[delivery.job_id], array[delivery.next_attempt_at]);
            return null;
        end if;
    end if;
    update webhook_deliveries set status = new.status, last_error = new.error_code, next_attempt_at = null,
        completed_at = clock_timestamp()
    where id = (new.args ->> 'delivery_id')::uuid and job_id = new.id and status = 'pending';
    return null;
end $$;

COMMENT ON FUNCTION public.delivery_follows_job() IS 'Ends a delivery whose job was cancelled. One whose job failed, because workers were lost or of an unexpected error, gets another job until it expires: a receiver that does not answer is no reason for a job to fail.';


-- Function dispatch_event

CREATE FUNCTION public.dispatch_event() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
    one_off text := case
        when new.type in ('document.ready', 'document.failed', 'archive.unpacked')
            then (select webhook_url from documents where id = new.subject_id)
        when new.type in ('extraction.completed', 'extraction.failed')
            then (select webhook_url from extractions where id = new.subject_id and not is_report)
        when new.type in ('report.completed', 'report.failed')
            then (select webhook_url from extractions where id = new.subject_id)
        when new.type = 'batch.completed'
            then (select webhook_url from batches where id = new.subject_id)
    end;
    added record;
begin
    with receivers as (
        select id as endpoint_id, null as url, open_until from webhook_endpoints
        where tenant_id = new.tenant_id and (project_id is null or project_id = new.project_id)
          and case when new.type = 'webhook.test' then id = new.subject_id
                   else enabled and (events = '{}' or new.type = any(events)) end
        union all
        select null, one_off, null where one_off is not null),
    due as materialized (
        select *, new_event_id() as delivery_id, new_event_id() as job_id,
               case when new.type <> 'webhook.test' and open_until > clock_timestamp() then open_until end as until
        from receivers),
    delivery as (
        insert into webhook_deliveries (id, tenant_id, project_id, endpoint_id, url, event_id, event_type,
            event_created_at, subject_id, document_id, data, job_id, next_attempt_at)
        select delivery_id, new.tenant_id, new.project_id, endpoint_id, url, new.id, new.type, new.created_at,
               new.subject_id, new.document_id, new.data, job_id, coalesce(until, clock_timestamp())
        from due)
    select array_agg(delivery_id) as deliveries, array_agg(job_id) as jobs, array_agg(until) as untils into added
    from due;
    if added.deliveries is not null then
        perform enqueue_deliveries(new.tenant_id, new.project_id, added.deliveries, added.jobs, added.untils);
        perform pg_notify('docsieve_wake', 'webhook');
    end if;
    return null;
end $$;

COMMENT ON FUNCTION public.dispatch_event() IS 'Adds a delivery with its job for each endpoint that wants the event, and for the webhook_url of the object that the event is about, in the transaction of the event. A test goes to the endpoint that it is about.';


-- Function document_follows_job

CREATE FUNCTION public.document_follows_job() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
    update documents set
        status = document_status(new.job_type, new.status),
        error_code = case when new.status in ('failed', 'cancelled') then new.error_code end,
        error_message = case when new.status in ('failed', 'cancelled') then new.error_message end,
        updated_at = clock_timestamp()
    where id = new.document_id and job_id = new.id;
    return null;
end $$;

COMMENT ON FUNCTION public.document_follows_job() IS 'Copies the status and error of a job to the document that follows it, in the transaction that moved the job: by a worker, a rescue or a cancellation.';


-- Function document_in_progress

CREATE FUNCTION public.document_in_progress(status text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    select status in ('pending', 'processing', 'pending_unpacking', 'unpacking', 'pending_download', 'downloading')
$$;

COMMENT ON FUNCTION public.document_in_progress(status text) IS 'Whether a document with this status will be read or unpacked.';


-- Function document_states

CREATE FUNCTION public.document_states(in_tenants uuid[], in_ids uuid[], in_max_position integer) RETURNS TABLE(id uuid, status text, page_count integer, parser text, parser_version text, read_cached boolean, error_code text, error_message text, job_id uuid, job_status text, attempts integer, max_attempts integer, run_at timestamp with time zone, deferred_by text, progress jsonb, attempt_error_code text, attempt_error_message text, queue_position bigint, extraction_id uuid, extraction_status text, needs_review boolean, extraction_error_code text, extraction_error_message text)
    LANGUAGE sql STABLE
    AS $$
    select documents.id, documents.status, documents.page_count, parser, parser_version, read_cached,
           documents.error_code, documents.error_message,
           jobs.id, jobs.status, jobs.attempts, jobs.max_attempts, jobs.run_at, jobs.deferred_by, jobs.progress,
           jobs.error_code, jobs.error_message,
           case when in_max_position > 0 and jobs.status = 'pending' then queue_position(jobs.id, in_max_position) end,
           newest.id, newest.status, newest.needs_review, newest.error_code, newest.error_message
    from unnest(in_tenants, in_ids) as wanted (tenant_id, id)
        join documents on documents.tenant_id = wanted.tenant_id and documents.id = wanted.id
        left join jobs on jobs.id = documents.job_id
        left join lateral (
            select extractions.id, extractions.status, needs_review, extractions.error_code, extractions.error_message
            from extraction_documents as its join extractions on extractions.id = its.extraction_id
            where its.document_id = documents.id order by its.extraction_id desc limit 1) as newest on true
$$;

COMMENT ON FUNCTION public.document_states(in_tenants uuid[], in_ids uuid[], in_max_position integer) IS 'The states of documents of any tenants that the caller may see. Positions in the queue are counted up to a limit; a limit of 0 leaves them out.';


-- Function document_status

CREATE FUNCTION public.document_status(in_job_type text, in_job_status text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    select case
        when in_job_status in ('failed', 'cancelled') then in_job_status
        when in_job_type = 'unpack_archive' then case in_job_status
            when 'completed' then 'unpacked' when 'processing' then 'unpacking' else 'pending_unpacking' end
        when in_job_type = 'download_document' then case in_job_status
            when 'completed' then 'pending' when 'processing' then 'downloading' else 'pending_download' end
        else case in_job_status
            when 'completed' then 'ready' when 'processing' then 'processing' else 'pending' end
    end
$$;

COMMENT ON FUNCTION public.document_status(in_job_type text, in_job_status text) IS 'The status of a document whose current job is of this type and status.';


-- Function emit_event

CREATE FUNCTION public.emit_event(in_tenant uuid, in_project uuid, in_type text, in_subject uuid, in_document uuid, in_batch uuid, in_data jsonb, in_related uuid[] DEFAULT NULL::uuid[]) RETURNS uuid
    LANGUAGE sql
    SET search_path TO 'public', 'pg_temp'
    AS $$
    insert into events (id, tenant_id, project_id, type, subject_id, document_id, batch_id, related, data)
    values (new_event_id(), in_tenant, in_project, in_type, in_subject, in_document, in_batch, in_related, in_data)
    returning id
$$;

COMMENT ON FUNCTION public.emit_event(in_tenant uuid, in_project uuid, in_type text, in_subject uuid, in_document uuid, in_batch uuid, in_data jsonb, in_related uuid[]) IS 'Adds an event in the transaction of the caller and returns its id.';


-- Function enqueue_deliveries

CREATE FUNCTION public.enqueue_deliveries(in_tenant uuid, in_project uuid, in_deliveries uuid[], in_jobs uuid[], in_until timestamp with time zone[]) RETURNS void
    LANGUAGE sql
    SET search_path TO 'public', 'pg_temp'
    AS $$
    with start as materialized (
        select next_turn('webhook', 0, in_tenant, 1 / weight) as turn, weight from tenants where id = in_tenant)
    insert into jobs (id, tenant_id, project_id, job_type, args, queue, max_attempts, turn, status, run_at)
    select job.id, in_tenant, in_project, 'deliver_webhook', jsonb_build_object('delivery_id', job.delivery), 'webhook',
           3, start.turn + (job.place - 1) / start.weight,
           case when job.until > clock_timestamp() then 'scheduled' else 'pending' end,
           case when job.until > clock_timestamp() then job.until end
    from start, unnest(in_deliveries, in_jobs, in_until) with ordinality as job (delivery, id, until, place)
$$;

COMMENT ON FUNCTION public.enqueue_deliveries(in_tenant uuid, in_project uuid, in_deliveries uuid[], in_jobs uuid[], in_until timestamp with time zone[]) IS 'Adds the jobs that send deliveries, each at its time; null for at once.';


-- Function extraction_follows_job

CREATE FUNCTION public.extraction_follows_job() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
    update extractions set
        status = case new.status when 'scheduled' then 'pending' else new.status end,
        error_code = case when new.status in ('failed', 'cancelled') then new.error_code end,
        error_message = case when new.status in ('failed', 'cancelled') then new.error_message end,
        completed_at = case when new.status in ('completed', 'failed', 'cancelled') then clock_timestamp() end
    where job_id = new.id;
    return null;
end $$;

COMMENT ON FUNCTION public.extraction_follows_job() IS 'Copies the status and error of an extract_fields job to its extraction. An extraction made while reading an upload is written when it is complete and follows no job.';


-- Function forget_corrections

CREATE FUNCTION public.forget_corrections(in_tenant uuid, in_extraction uuid, in_kept text[]) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    delete from corrections
    where tenant_id = in_tenant and tenant_id = scope_tenant() and extraction_id = in_extraction
      and path <> all(in_kept)
$$;

COMMENT ON FUNCTION public.forget_corrections(in_tenant uuid, in_extraction uuid, in_kept text[]) IS 'Deletes the corrections of an extraction except those of some paths, because a document that they may quote is deleted. Runs as the owner: requests have no right to delete corrections otherwise.';

REVOKE ALL ON FUNCTION public.forget_corrections(in_tenant uuid, in_extraction uuid, in_kept text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.forget_corrections(in_tenant uuid, in_extraction uuid, in_kept text[]) TO docsieve_app;


-- Function forget_spellings

CREATE FUNCTION public.forget_spellings(in_tenant uuid, in_terms integer[]) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    -- the samples of chunks come first: they tell frequent terms without reading long lists
    with unused as materialized (
        select term from unnest(in_terms) as given (term)
        where not exists (select from chunks as held
                where terms @> array[term] and level >= 2 and tenant_id = in_tenant)
          and not exists (select from chunks as held
                where terms @> array[term] and level >= 1 and tenant_id = in_tenant)
          and not exists (select from chunks as held where terms @> array[term] and tenant_id = in_tenant)),
    gone as (
        delete from spellings using unused
        where tenant_id = in_tenant and spellings.term = unused.term and scope_tenant() = in_tenant
        returning 1)
    select count(*) from gone
$$;

COMMENT ON FUNCTION public.forget_spellings(in_tenant uuid, in_terms integer[]) IS 'Deletes the words with these terms that no chunk of the tenant contains any more. Runs as the owner, because the indexes on terms cannot be used under row-level security; it changes only the tenant of the transaction.';

REVOKE ALL ON FUNCTION public.forget_spellings(in_tenant uuid, in_terms integer[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.forget_spellings(in_tenant uuid, in_terms integer[]) TO docsieve_app;


-- Function give_provider_slot_back

CREATE FUNCTION public.give_provider_slot_back(in_name text, in_lease uuid, in_outcome text, in_seconds double precision, in_more_tokens bigint) RETURNS double precision
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
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

COMMENT ON FUNCTION public.give_provider_slot_back(in_name text, in_lease uuid, in_outcome text, in_seconds double precision, in_more_tokens bigint) IS 'Returns a slot with the outcome of the call. Five failures in a row, each within a minute of the one before, open the circuit breaker; each time it opens for twice as long, up to five minutes. Late failures change nothing while it is open. Returns the seconds for which a failed caller should wait; 0 after a dozen failed probes, so that work that cannot succeed comes to an end.';


-- Function held_documents

CREATE FUNCTION public.held_documents(in_tenant uuid, in_ids uuid[]) RETURNS SETOF uuid
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    with shared as materialized (
        select mine.document_id, other.document_id as other_id
        from extraction_documents as mine join extraction_documents as other using (extraction_id)
        where mine.tenant_id = in_tenant and mine.document_id = any(in_ids)
          and other.document_id <> mine.document_id)
    select held_themselves(in_tenant, in_ids)
    union
    select document_id from shared
    where other_id in (select held_themselves(in_tenant, array(select other_id from shared)))
$$;

COMMENT ON FUNCTION public.held_documents(in_tenant uuid, in_ids uuid[]) IS 'Which of these documents must not be deleted: those that a hold covers, and those that share an extraction with one, because its result would change. Runs as the owner, so that a key that is limited to a project cannot overlook a hold.';

REVOKE ALL ON FUNCTION public.held_documents(in_tenant uuid, in_ids uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.held_documents(in_tenant uuid, in_ids uuid[]) TO docsieve_app;


-- Function held_themselves

CREATE FUNCTION public.held_themselves(in_tenant uuid, in_ids uuid[]) RETURNS SETOF uuid
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    with recursive line as (
        select id as document_id, id, parent_id, project_id from documents
        where tenant_id = in_tenant and id = any(in_ids)
        union
        select line.document_id, parent.id, parent.parent_id, parent.project_id
        from line join documents as parent on parent.id = line.parent_id)
    select distinct line.document_id from line
    where exists (select from legal_holds as hold where hold.tenant_id = in_tenant and (
        hold.document_id = line.id
        or hold.project_id = line.project_id and hold.document_id is null and hold.batch_id is null
        or hold.batch_id in (select batch_id from batch_documents as its where its.document_id = line.id)))
$$;

COMMENT ON FUNCTION public.held_themselves(in_tenant uuid, in_ids uuid[]) IS 'Which of these documents a hold covers: on themselves, a document that they were found in, a batch or their project.';

REVOKE ALL ON FUNCTION public.held_themselves(in_tenant uuid, in_ids uuid[]) FROM PUBLIC;


-- Function join_batches_of_parent

CREATE FUNCTION public.join_batches_of_parent() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
    parent uuid;
begin
    for parent in select distinct parent_id from added where parent_id is not null order by parent_id loop
        -- adding the parent to a batch locks it too, so either that statement sees these documents or this one sees it
        perform from documents where id = parent for share;
        insert into batch_documents (batch_id, document_id, tenant_id, project_id)
        select its.batch_id, added.id, its.tenant_id, its.project_id
        from batch_documents as its, added
        where its.document_id = parent and added.parent_id = parent;
    end loop;
    return null;
end $$;

COMMENT ON FUNCTION public.join_batches_of_parent() IS 'Adds the entries of archives, attachments and other parts of a document to the batches that the document is in.';


-- Function new_event_id

CREATE FUNCTION public.new_event_id() RETURNS uuid
    LANGUAGE sql PARALLEL SAFE
    AS $$
    -- UUID version 7: milliseconds over the first 48 bits of a random UUID, whose version 4 becomes 7
    select encode(set_bit(set_bit(overlay(
        uuid_send(gen_random_uuid())
        placing substring(int8send(floor(extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
        52, 1), 53, 1), 'hex')::uuid
$$;

COMMENT ON FUNCTION public.new_event_id() IS 'An id that grows with time, like new_id in domain/ids.py.';


-- Function next_local_time

CREATE FUNCTION public.next_local_time(in_time time without time zone, in_zone text, in_after timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
    today date := (in_after at time zone in_zone)::date;
    wall timestamp;
    moment timestamptz;
    shift interval;
begin
    for day in -1..2 loop
        wall := today + day + in_time;
        moment := wall at time zone in_zone;
        -- where the clock is set back, the same time comes twice, and the first one counts
        foreach shift in array array['2 hours', '1 hour', '30 minutes']::interval[] loop
            if (moment - shift) at time zone in_zone = wall then
                moment := moment - shift;
                exit;
            end if;
        end loop;
        exit when moment > in_after;
    end loop;
    return moment;
end $$;

COMMENT ON FUNCTION public.next_local_time(in_time time without time zone, in_zone text, in_after timestamp with time zone) IS 'The next moment after in_after at which clocks in the zone show this time; exactly one per calendar day. A time that is skipped when clocks are set forward is as long after that change as it would have been without it.';


-- Function next_turn

CREATE FUNCTION public.next_turn(in_queue text, in_priority integer, in_tenant uuid, in_step double precision) RETURNS double precision
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    select greatest(
        head.start,
        (select turn from jobs
         where queue = in_queue and status = 'pending' and -priority = -in_priority and turn >= head.floor
         order by turn, id limit 1),
        (select turn + in_step from jobs
         where queue = in_queue and status = 'pending' and priority = in_priority and tenant_id = in_tenant
           and marks_turn and turn >= head.floor
         order by turn desc limit 1))
    from (select coalesce(max(start), 0) as start, coalesce(max(floor), '-infinity') as floor
          from queue_heads where queue = in_queue and priority = in_priority) as head
$$;

COMMENT ON FUNCTION public.next_turn(in_queue text, in_priority integer, in_tenant uuid, in_step double precision) IS 'The turn of a tenant''s next job: one step after the tenant''s last pending job, or the head of the queue if the tenant has none. This is start-time fair queueing without a shared counter: a tenant with a million jobs does not delay the first job of another. Runs as the owner because it compares tenants; it returns only a number.';


-- Function processing_window_opens

CREATE FUNCTION public.processing_window_opens(in_window jsonb, in_batch boolean, in_now timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
    opens time := in_window ->> 'start';
    closes time := in_window ->> 'end';
    shown time := (in_now at time zone (in_window ->> 'time_zone'))::time;
begin
    if in_window is null or (in_window ->> 'applies_to' = 'batches' and not in_batch)
        or (opens < closes and shown >= opens and shown < closes)
        or (opens > closes and (shown >= opens or shown < closes)) then
        return null;
    end if;
    return next_local_time(opens, in_window ->> 'time_zone', in_now);
end $$;

COMMENT ON FUNCTION public.processing_window_opens(in_window jsonb, in_batch boolean, in_now timestamp with time zone) IS 'When the processing window of a project opens; null if it is open, or does not apply to this work.';


-- Function queue_position

CREATE FUNCTION public.queue_position(in_job uuid, at_most integer) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    select case when me.status = 'pending' then (
        select count(*) from (
            select 1 from jobs ahead
            where ahead.queue = me.queue and ahead.status = 'pending'
              and (-ahead.priority, ahead.turn, ahead.id) <= (-me.priority, me.turn, me.id)
            limit at_most) as counted)
    end
    from jobs me where me.id = in_job
$$;

COMMENT ON FUNCTION public.queue_position(in_job uuid, at_most integer) IS 'How many jobs run before this one, itself included, counted up to a limit. Runs as the owner because it counts jobs of all tenants; it returns only a number.';


-- Function read_document_state

CREATE FUNCTION public.read_document_state(in_tenant uuid, in_scope_project uuid, in_api_key text, in_id uuid, in_max_position integer) RETURNS TABLE(id uuid, status text, page_count integer, parser text, parser_version text, read_cached boolean, error_code text, error_message text, job_id uuid, job_status text, attempts integer, max_attempts integer, run_at timestamp with time zone, deferred_by text, progress jsonb, attempt_error_code text, attempt_error_message text, queue_position bigint, extraction_id uuid, extraction_status text, needs_review boolean, extraction_error_code text, extraction_error_message text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
#variable_conflict use_column
begin
    perform set_config('docsieve.tenant_id', in_tenant::text, true),
            set_config('docsieve.project_id', coalesce(in_scope_project::text, ''), true);
    if in_api_key is not null then
        perform require_key(in_tenant, in_api_key);
    end if;
    return query select * from document_states(array[in_tenant], array[in_id], in_max_position);
end $$;


ALTER FUNCTION public.read_document_state(in_tenant uuid, in_scope_project uuid, in_api_key text, in_id uuid, in_max_position integer) OWNER TO docsieve_app;

COMMENT ON FUNCTION public.read_document_state(in_tenant uuid, in_scope_project uuid, in_api_key text, in_id uuid, in_max_position integer) IS 'The state of one document in one round trip, because clients poll it. Raises DS401 for an API key that is no longer valid; null skips that check. Belongs to docsieve_app and runs as its owner, so row-level security applies to it as to any other request.';


-- Function record_attempt

CREATE FUNCTION public.record_attempt() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
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

COMMENT ON FUNCTION public.record_attempt() IS 'Adds an attempt to the history whenever a job of a document or an extraction leaves the status `processing`, in the same transaction. Keeps the newest 50 per job: one that waits for a provider may be handed back hundreds of times.';


-- Function recount_batch

CREATE FUNCTION public.recount_batch(in_tenant uuid, in_batch uuid) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
    perform set_config('docsieve.recounted_batch', in_batch::text, true);
    with counted as (
        select batch_shard(id) as shard, count(*) filter (where status = 'completed') as completed,
               count(*) filter (where status = 'failed') as failed,
               count(*) filter (where status = 'cancelled') as cancelled,
               count(*) filter (where needs_review) as needs_review
        from extractions where tenant_id = in_tenant and batch_id = in_batch group by 1),
    changed as (
        update batch_counts as counts set completed = counted.completed, failed = counted.failed,
            cancelled = counted.cancelled, needs_review = counted.needs_review
        from counted
        where counts.tenant_id = in_tenant and counts.batch_id = in_batch and counts.shard = counted.shard
        returning counts.total > counts.completed + counts.failed + counts.cancelled as open)
    update batches set open_shards = (select count(*) from changed where open)
    where tenant_id = in_tenant and id = in_batch;
end $$;

COMMENT ON FUNCTION public.recount_batch(in_tenant uuid, in_batch uuid) IS 'Counts the extractions of a batch in one pass, after changes to many of them in this transaction. Their jobs and the rows of batch_counts must be locked.';


-- Function refuse_held

CREATE FUNCTION public.refuse_held() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
    doomed jsonb := jsonb_build_object('project_id', old.id) || to_jsonb(old);
    in_project uuid := doomed ->> 'project_id';
    its_documents uuid[];
begin
    -- a hold locks the project, or the row itself, and so is either seen here or waits until this is deleted
    perform from projects where id = in_project for key share;
    if not exists (select from legal_holds where tenant_id = old.tenant_id) then
        return case tg_op when 'DELETE' then old else new end;
    end if;
    its_documents := case tg_table_name
        when 'documents' then array[old.id]
        when 'extractions' then array(
            select document_id from extraction_documents as its where its.extraction_id = old.id) end;
    if exists (select from held_documents(old.tenant_id, its_documents)) or exists (
        select from legal_holds as hold where hold.tenant_id = old.tenant_id and (
            hold.project_id = in_project and hold.document_id is null and hold.batch_id is null
            or hold.batch_id = (case tg_table_name when 'batches' then old.id else (doomed ->> 'batch_id')::uuid end)))
    then
        raise exception using errcode = 'DS451',
            message = format('%s %s is under legal hold.', case tg_table_name when 'batches' then 'Batch' else initcap(rtrim(tg_table_name, 's')) end, old.id);
    end if;
    return case tg_op when 'DELETE' then old else new end;
end $$;

COMMENT ON FUNCTION public.refuse_held() IS 'Raises DS451 instead of deleting a document, an extraction, a batch, a project or an uploaded file that is under legal hold, for every caller.';


-- Function refuse_leaving_held_batch

CREATE FUNCTION public.refuse_leaving_held_batch() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
    perform from batches where id = old.batch_id for key share;
    if exists (select from legal_holds where tenant_id = old.tenant_id and batch_id = old.batch_id) then
        raise exception using errcode = 'DS451', message = format('Batch %s is under legal hold.', old.batch_id);
    end if;
    return old;
end $$;

COMMENT ON FUNCTION public.refuse_leaving_held_batch() IS 'Keeps documents in a batch that is under legal hold, which covers them only as long as they are in it.';


-- Function require_key

CREATE FUNCTION public.require_key(in_tenant uuid, in_api_key text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
    perform from api_keys
    where id = in_api_key and tenant_id = in_tenant and revoked_at is null
      and (expires_at is null or expires_at > clock_timestamp());
    if not found then
        raise exception using errcode = 'DS401', message = 'the API key was revoked or has expired';
    end if;
end $$;

COMMENT ON FUNCTION public.require_key(in_tenant uuid, in_api_key text) IS 'Raises DS401 for an API key that is no longer valid.';


-- Function scope_project

CREATE FUNCTION public.scope_project() RETURNS uuid
    LANGUAGE sql STABLE
    AS $$ select nullif(current_setting('docsieve.project_id', true), '')::uuid $$;

COMMENT ON FUNCTION public.scope_project() IS 'The project that the current transaction is limited to, or null.';


-- Function scope_tenant

CREATE FUNCTION public.scope_tenant() RETURNS uuid
    LANGUAGE sql STABLE
    AS $$ select nullif(current_setting('docsieve.tenant_id', true), '')::uuid $$;

COMMENT ON FUNCTION public.scope_tenant() IS 'The tenant of the current transaction. Row-level security shows only its rows.';


-- Function search_candidates

CREATE FUNCTION public.search_candidates(in_tenant uuid, in_any integer[], in_all integer[], in_documents uuid[], in_limit integer) RETURNS SETOF bigint
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_custom_plan'
    AS $$
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

COMMENT ON FUNCTION public.search_candidates(in_tenant uuid, in_any integer[], in_all integer[], in_documents uuid[], in_limit integer) IS 'Ids of chunks that contain any of one list of terms and all of another, optionally limited to documents.';

REVOKE ALL ON FUNCTION public.search_candidates(in_tenant uuid, in_any integer[], in_all integer[], in_documents uuid[], in_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.search_candidates(in_tenant uuid, in_any integer[], in_all integer[], in_documents uuid[], in_limit integer) TO docsieve_app;


-- Function search_spellings

CREATE FUNCTION public.search_spellings(in_tenant uuid, in_words text[], in_each integer) RETURNS TABLE(asked text, word text, term integer, similarity real)
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100
    SET search_path TO 'public', 'pg_temp'
    SET "pg_trgm.similarity_threshold" TO '0.3'
    AS $$
begin
    return query
    select given.asked, near.word, near.term, near.similarity
    from unnest(in_words) as given (asked) cross join lateral (
        select spellings.word, spellings.term, similarity(spellings.word, given.asked) as similarity
        from spellings
        where tenant_id = in_tenant and tenant_id = scope_tenant() and spellings.word % given.asked
        order by 3 desc limit in_each) as near;
end $$;

COMMENT ON FUNCTION public.search_spellings(in_tenant uuid, in_words text[], in_each integer) IS 'Words of the tenant that are spelled similarly to the given ones.';

REVOKE ALL ON FUNCTION public.search_spellings(in_tenant uuid, in_words text[], in_each integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.search_spellings(in_tenant uuid, in_words text[], in_each integer) TO docsieve_app;


-- Function search_statistics

CREATE FUNCTION public.search_statistics(in_tenant uuid, in_terms integer[], OUT total bigint, OUT mean_length double precision, OUT frequencies bigint[]) RETURNS record
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
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

COMMENT ON FUNCTION public.search_statistics(in_tenant uuid, in_terms integer[], OUT total bigint, OUT mean_length double precision, OUT frequencies bigint[]) IS 'Number of chunks, their mean length, and in how many of them each term occurs, for BM25. Estimated from samples (chunks.level) where a tenant has many chunks.';

REVOKE ALL ON FUNCTION public.search_statistics(in_tenant uuid, in_terms integer[], OUT total bigint, OUT mean_length double precision, OUT frequencies bigint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.search_statistics(in_tenant uuid, in_terms integer[], OUT total bigint, OUT mean_length double precision, OUT frequencies bigint[]) TO docsieve_app;


-- Function take_provider_slot

CREATE FUNCTION public.take_provider_slot(in_name text, in_lease uuid, in_seconds double precision, in_tokens bigint) RETURNS double precision
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
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

COMMENT ON FUNCTION public.take_provider_slot(in_name text, in_lease uuid, in_seconds double precision, in_tokens bigint) IS 'Takes a slot for one call to a provider and returns 0, or returns the seconds to wait. The row lock on provider_limits serializes callers for the duration of this statement. Rate limits allow a burst of ten seconds.';


-- Function uncount_deleted_jobs

CREATE FUNCTION public.uncount_deleted_jobs() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
    insert into job_counts
    select tenant_id, project_id, queue, job_type, status, -count(*) from deleted
    where status in ('completed', 'failed', 'cancelled')
    group by tenant_id, project_id, queue, job_type, status;
    return null;
end $$;


-- Function uncount_extractions

CREATE FUNCTION public.uncount_extractions() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
    closed record;
begin
    perform from batch_counts
    where (batch_id, shard) in (select batch_id, batch_shard(id) from deleted where batch_id is not null)
    order by batch_id, shard for update;
    for closed in
        with gone as (
            select batch_id, batch_shard(id) as shard, count(*) as total,
                   count(*) filter (where status = 'completed') as completed,
                   count(*) filter (where status = 'failed') as failed,
                   count(*) filter (where status = 'cancelled') as cancelled,
                   count(*) filter (where status in ('pending', 'processing')) as open,
                   count(*) filter (where needs_review) as needs_review
            from deleted where batch_id is not null group by 1, 2),
        left_over as (
            update batch_counts as counts set total = counts.total - gone.total,
                completed = counts.completed - gone.completed, failed = counts.failed - gone.failed,
                cancelled = counts.cancelled - gone.cancelled, needs_review = counts.needs_review - gone.needs_review
            from gone where counts.batch_id = gone.batch_id and counts.shard = gone.shard
            returning counts.batch_id, gone.open as gone_open,
                counts.total - counts.completed - counts.failed - counts.cancelled as open)
        select batch_id, count(*)::integer as shards from left_over
        where gone_open > 0 and open = 0 group by batch_id order by batch_id
    loop
        perform close_shards(closed.batch_id, closed.shards);
    end loop;
    return null;
end $$;

COMMENT ON FUNCTION public.uncount_extractions() IS 'Keeps batch_counts when extractions are deleted with their documents.';


-- Function wake_waiting_jobs

CREATE FUNCTION public.wake_waiting_jobs() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
    queues text[];
begin
    -- a job that is locked is being cancelled or promoted, and waiting for it could be a deadlock
    with woken as (
        update jobs set status = 'pending', run_at = null, turn = greatest(turn, next_turn(queue, priority, null, 0))
        where id = any(array(
            select id from jobs where waits_for = old.id and status = 'scheduled' for no key update skip locked))
        returning queue)
    select array_agg(distinct queue) into queues from woken;
    if queues is not null then
        perform pg_notify('docsieve_wake', woken) from unnest(queues) as woken;
    end if;
    return null;
end $$;

COMMENT ON FUNCTION public.wake_waiting_jobs() IS 'Brings forward the jobs that wait for a document, in the transaction that ends its reading or deletes it. A job begins to wait under a shared lock on the document, so that it cannot miss this.';


-- Triggers

CREATE TRIGGER announce_batch AFTER UPDATE OF status ON public.batches FOR EACH ROW WHEN (((old.status IS DISTINCT FROM new.status) AND (new.status = 'completed'::text))) EXECUTE FUNCTION public.announce_batch();

CREATE TRIGGER announce_correction AFTER INSERT ON public.corrections FOR EACH ROW EXECUTE FUNCTION public.announce_correction();

CREATE TRIGGER announce_document AFTER UPDATE OF status ON public.documents FOR EACH ROW WHEN (((old.status IS DISTINCT FROM new.status) AND (new.status = ANY (ARRAY['ready'::text, 'failed'::text, 'unpacked'::text])))) EXECUTE FUNCTION public.announce_document();

CREATE CONSTRAINT TRIGGER announce_extraction AFTER UPDATE OF status, needs_review ON public.extractions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((((old.status IS DISTINCT FROM new.status) AND (new.status = ANY (ARRAY['completed'::text, 'failed'::text]))) OR ((old.status = 'completed'::text) AND (new.status = 'completed'::text) AND (NOT old.needs_review) AND new.needs_review))) EXECUTE FUNCTION public.announce_extraction();

CREATE TRIGGER batch_follows_starting_job AFTER UPDATE OF status ON public.jobs FOR EACH ROW WHEN (((new.job_type = 'start_batch'::text) AND (new.status = ANY (ARRAY['failed'::text, 'cancelled'::text])))) EXECUTE FUNCTION public.batch_follows_starting_job();

CREATE TRIGGER copy_newest_extraction AFTER UPDATE OF status, confidence, needs_review ON public.extractions FOR EACH ROW WHEN (((new.status = 'completed'::text) AND (new.confidence IS NOT NULL) AND ((old.status IS DISTINCT FROM new.status) OR (old.confidence IS DISTINCT FROM new.confidence) OR (old.needs_review IS DISTINCT FROM new.needs_review)))) EXECUTE FUNCTION public.copy_newest_extraction();

CREATE TRIGGER count_added_documents AFTER INSERT ON public.documents REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.count_added_documents();

CREATE TRIGGER count_downloaded_bytes AFTER UPDATE OF size ON public.documents FOR EACH ROW WHEN (((old.size IS NULL) AND (new.size IS NOT NULL))) EXECUTE FUNCTION public.count_downloaded_bytes();

CREATE TRIGGER count_ended_job AFTER UPDATE OF status ON public.jobs FOR EACH ROW WHEN (((old.status IS DISTINCT FROM new.status) AND ((old.status = ANY (ARRAY['completed'::text, 'failed'::text, 'cancelled'::text])) OR (new.status = ANY (ARRAY['failed'::text, 'cancelled'::text]))))) EXECUTE FUNCTION public.count_ended_job();

CREATE CONSTRAINT TRIGGER count_extraction AFTER UPDATE OF status, needs_review ON public.extractions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.batch_id IS NOT NULL) AND ((old.status IS DISTINCT FROM new.status) OR (old.needs_review IS DISTINCT FROM new.needs_review)) AND ((old.status = ANY (ARRAY['completed'::text, 'failed'::text, 'cancelled'::text])) OR (new.status = ANY (ARRAY['completed'::text, 'failed'::text, 'cancelled'::text]))))) EXECUTE FUNCTION public.count_extraction();

CREATE TRIGGER count_read_pages AFTER UPDATE OF read_at ON public.documents FOR EACH ROW WHEN (((new.read_at IS DISTINCT FROM old.read_at) AND (new.page_count > 0) AND (NOT new.read_cached))) EXECUTE FUNCTION public.count_read_pages();

CREATE TRIGGER delete_deliveries_about AFTER DELETE ON public.batches REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION public.delete_deliveries_about();

CREATE TRIGGER delete_deliveries_about AFTER DELETE ON public.documents REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION public.delete_deliveries_about();

CREATE TRIGGER delete_deliveries_about AFTER DELETE ON public.extractions REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION public.delete_deliveries_about();

CREATE TRIGGER delete_extractions_without_documents AFTER DELETE ON public.extraction_documents REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION public.delete_extractions_without_documents();

CREATE TRIGGER delete_responses_about_documents AFTER DELETE ON public.documents REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION public.delete_responses_about_documents();

CREATE TRIGGER delivery_attempt_lost AFTER UPDATE OF rescues ON public.jobs FOR EACH ROW WHEN (((new.job_type = 'deliver_webhook'::text) AND (new.rescues > old.rescues))) EXECUTE FUNCTION public.delivery_attempt_lost();

CREATE TRIGGER delivery_follows_job AFTER UPDATE OF status ON public.jobs FOR EACH ROW WHEN (((new.job_type = 'deliver_webhook'::text) AND (new.status = ANY (ARRAY['failed'::text, 'cancelled'::text])))) EXECUTE FUNCTION public.delivery_follows_job();

CREATE TRIGGER dispatch_event AFTER INSERT ON public.events FOR EACH ROW EXECUTE FUNCTION public.dispatch_event();

CREATE TRIGGER document_follows_job AFTER UPDATE OF status ON public.jobs FOR EACH ROW WHEN (((new.document_id IS NOT NULL) AND (new.status IS DISTINCT FROM old.status))) EXECUTE FUNCTION public.document_follows_job();

CREATE TRIGGER extraction_follows_job AFTER UPDATE OF status ON public.jobs FOR EACH ROW WHEN (((new.job_type = 'extract_fields'::text) AND (new.status IS DISTINCT FROM old.status))) EXECUTE FUNCTION public.extraction_follows_job();

CREATE TRIGGER join_batches_of_parent AFTER INSERT ON public.documents REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.join_batches_of_parent();

CREATE TRIGGER record_attempt AFTER UPDATE OF status ON public.jobs FOR EACH ROW WHEN (((old.status = 'processing'::text) AND (new.status <> 'processing'::text) AND (old.started_at IS NOT NULL) AND ((new.document_id IS NOT NULL) OR (new.job_type = 'extract_fields'::text)))) EXECUTE FUNCTION public.record_attempt();

CREATE TRIGGER refuse_held BEFORE DELETE ON public.batch_documents FOR EACH ROW EXECUTE FUNCTION public.refuse_leaving_held_batch();

CREATE TRIGGER refuse_held BEFORE DELETE ON public.batches FOR EACH ROW EXECUTE FUNCTION public.refuse_held();

CREATE TRIGGER refuse_held BEFORE DELETE ON public.documents FOR EACH ROW EXECUTE FUNCTION public.refuse_held();

CREATE TRIGGER refuse_held BEFORE DELETE ON public.extractions FOR EACH ROW EXECUTE FUNCTION public.refuse_held();

CREATE TRIGGER refuse_held BEFORE DELETE ON public.projects FOR EACH ROW EXECUTE FUNCTION public.refuse_held();

CREATE TRIGGER refuse_held_original BEFORE UPDATE OF original_deleted_at ON public.documents FOR EACH ROW WHEN (((old.original_deleted_at IS NULL) AND (new.original_deleted_at IS NOT NULL))) EXECUTE FUNCTION public.refuse_held();

CREATE TRIGGER uncount_deleted_jobs AFTER DELETE ON public.jobs REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION public.uncount_deleted_jobs();

CREATE TRIGGER uncount_extractions AFTER DELETE ON public.extractions REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION public.uncount_extractions();

CREATE TRIGGER wake_waiting_jobs AFTER UPDATE OF status ON public.documents FOR EACH ROW WHEN ((public.document_in_progress(old.status) AND (NOT public.document_in_progress(new.status)))) EXECUTE FUNCTION public.wake_waiting_jobs();

CREATE TRIGGER wake_waiting_jobs_of_deleted AFTER DELETE ON public.documents FOR EACH ROW EXECUTE FUNCTION public.wake_waiting_jobs();


-- Row-level security

ALTER TABLE public.api_keys ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.archive_entries ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.archives ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.attempts ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.audit_heads ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.audit_log ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.batch_counts ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.batch_documents ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.batch_specs ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.batches ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.cached_responses ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.chunk_vectors ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.chunks ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.corrections ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.data_keys ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.document_classes ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.document_fields ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.documents ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.embedders ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.events ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.exceeded_budgets ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.extraction_documents ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.extractions ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.idempotency_keys ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.job_counts ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.jobs ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.legal_holds ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.lessons ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.packets ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.projects ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.prompt_heads ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.prompts ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.provider_leases ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.provider_limits ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.queue_heads ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.schedules ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.schema_heads ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.schemas ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.sessions ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.sign_in_links ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.spellings ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.spending ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.spending_months ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.spending_reservations ENABLE ROW LEVEL SECURITY;

CREATE POLICY system_access ON public.api_keys TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.archive_entries TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.archives TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.attempts TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.audit_heads TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.audit_log TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.batch_counts TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.batch_documents TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.batch_specs TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.batches TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.cached_responses TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.chunk_vectors TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.chunks TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.corrections TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.data_keys TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.document_classes TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.document_fields TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.documents TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.embedders TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.events TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.exceeded_budgets TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.extraction_documents TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.extractions TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.idempotency_keys TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.job_counts TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.jobs TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.legal_holds TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.lessons TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.packets TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.projects TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.prompt_heads TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.prompts TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.provider_leases TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.provider_limits TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.queue_heads TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.schedules TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.schema_heads TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.schemas TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.sessions TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.sign_in_links TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.spellings TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.spending TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.spending_months TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.spending_reservations TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.tenant_deletions TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.tenants TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.uploads TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.usage_counts TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.webhook_attempts TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.webhook_deliveries TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.webhook_endpoints TO docsieve_system USING (true) WITH CHECK (true);

CREATE POLICY system_access ON public.webhook_secrets TO docsieve_system USING (true) WITH CHECK (true);

ALTER TABLE public.tenant_deletions ENABLE ROW LEVEL SECURITY;

CREATE POLICY tenant_isolation ON public.api_keys TO docsieve_app USING (((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)) AND ((( SELECT public.scope_project() AS scope_project) IS NULL) OR (project_id = ( SELECT public.scope_project() AS scope_project)))));

CREATE POLICY tenant_isolation ON public.archive_entries TO docsieve_app USING (((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)) AND ((( SELECT public.scope_project() AS scope_project) IS NULL) OR (project_id = ( SELECT public.scope_project() AS scope_project)))));

CREATE POLICY tenant_isolation ON public.archives TO docsieve_app USING (((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)) AND ((( SELECT public.scope_project() AS scope_project) IS NULL) OR (project_id = ( SELECT public.scope_project() AS scope_project)))));

CREATE POLICY tenant_isolation ON public.attempts TO docsieve_app USING (((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)) AND ((( SELECT public.scope_project() AS scope_project) IS NULL) OR (project_id = ( SELECT public.scope_project() AS scope_project)))));

CREATE POLICY tenant_isolation ON public.audit_heads TO docsieve_app USING (((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)) AND (( SELECT public.scope_project() AS scope_project) IS NULL)));

CREATE POLICY tenant_isolation ON public.audit_log TO docsieve_app USING (((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)) AND ((( SELECT public.scope_project() AS scope_project) IS NULL) OR (project_id = ( SELECT public.scope_project() AS scope_project)))));

CREATE POLICY tenant_isolation ON public.batch_counts TO docsieve_app USING (((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)) AND ((( SELECT public.scope_project() AS scope_project) IS NULL) OR (project_id = ( SELECT public.scope_project() AS scope_project)))));

CREATE POLICY tenant_isolation ON public.batch_documents TO docsieve_app USING (((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)) AND ((( SELECT public.scope_project() AS scope_project) IS NULL) OR (project_id = ( SELECT public.scope_project() AS scope_project)))));

CREATE POLICY tenant_isolation ON public.batch_specs TO docsieve_app USING (((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)) AND ((( SELECT public.scope_project() AS scope_project) IS NULL) OR (project_id = ( SELECT public.scope_project() AS scope_project)))));

CREATE POLICY tenant_isolation ON public.batches TO docsieve_app USING (((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)) AND ((( SELECT public.scope_project() AS scope_project) IS NULL) OR (project_id = ( SELECT public.scope_project() AS scope_project)))));

CREATE POLICY tenant_isolation ON public.cached_responses TO docsieve_app USING (((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)) AND (( SELECT public.scope_project() AS scope_project) IS NULL)));

CREATE POLICY tenant_isolation ON public.chunk_vectors TO docsieve_app USING (((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)) AND ((( SELECT public.scope_project() AS scope_project) IS NULL) OR (project_id = ( SELECT public.scope_project() AS scope_project)))));

CREATE POLICY tenant_isolation ON public.chunks TO docsieve_app USING (((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)) AND ((( SELECT public.scope_project() AS scope_project) IS NULL) OR (project_id = ( SELECT public.scope_project() AS scope_project)))));

CREATE POLICY tenant_isolation ON public.corrections TO docsieve_app USING (((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)) AND ((( SELECT public.scope_project() AS scope_project) IS NULL) OR (project_id = ( SELECT public.scope_project() AS scope_project)))));

CREATE POLICY tenant_isolation ON public.document_classes TO docsieve_app USING ((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)));

CREATE POLICY tenant_isolation ON public.document_fields TO docsieve_app USING (((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)) AND ((( SELECT public.scope_project() AS scope_project) IS NULL) OR (project_id = ( SELECT public.scope_project() AS scope_project)))));

CREATE POLICY tenant_isolation ON public.documents TO docsieve_app USING (((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)) AND ((( SELECT public.scope_project() AS scope_project) IS NULL) OR (project_id = ( SELECT public.scope_project() AS scope_project)))));

CREATE POLICY tenant_isolation ON public.embedders TO docsieve_app USING ((( SELECT public.scope_tenant() AS scope_tenant) IS NOT NULL));

CREATE POLICY tenant_isolation ON public.events TO docsieve_app USING (((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)) AND ((( SELECT public.scope_project() AS scope_project) IS NULL) OR (project_id = ( SELECT public.scope_project() AS scope_project)))));

CREATE POLICY tenant_isolation ON public.exceeded_budgets TO docsieve_app USING ((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)));

CREATE POLICY tenant_isolation ON public.extraction_documents TO docsieve_app USING (((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)) AND ((( SELECT public.scope_project() AS scope_project) IS NULL) OR (project_id = ( SELECT public.scope_project() AS scope_project)))));

CREATE POLICY tenant_isolation ON public.extractions TO docsieve_app USING (((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)) AND ((( SELECT public.scope_project() AS scope_project) IS NULL) OR (project_id = ( SELECT public.scope_project() AS scope_project)))));

CREATE POLICY tenant_isolation ON public.idempotency_keys TO docsieve_app USING ((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)));

CREATE POLICY tenant_isolation ON public.job_counts TO docsieve_app USING (((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)) AND ((( SELECT public.scope_project() AS scope_project) IS NULL) OR (project_id = ( SELECT public.scope_project() AS scope_project)))));

CREATE POLICY tenant_isolation ON public.jobs TO docsieve_app USING (((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)) AND ((( SELECT public.scope_project() AS scope_project) IS NULL) OR (project_id = ( SELECT public.scope_project() AS scope_project)))));

CREATE POLICY tenant_isolation ON public.legal_holds TO docsieve_app USING (((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)) AND ((( SELECT public.scope_project() AS scope_project) IS NULL) OR (project_id = ( SELECT public.scope_project() AS scope_project)))));

CREATE POLICY tenant_isolation ON public.lessons TO docsieve_app USING ((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)));

CREATE POLICY tenant_isolation ON public.packets TO docsieve_app USING (((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)) AND ((( SELECT public.scope_project() AS scope_project) IS NULL) OR (project_id = ( SELECT public.scope_project() AS scope_project)))));

CREATE POLICY tenant_isolation ON public.projects TO docsieve_app USING (((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)) AND ((( SELECT public.scope_project() AS scope_project) IS NULL) OR (id = ( SELECT public.scope_project() AS scope_project)))));

CREATE POLICY tenant_isolation ON public.prompt_heads TO docsieve_app USING ((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)));

CREATE POLICY tenant_isolation ON public.prompts TO docsieve_app USING ((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)));

CREATE POLICY tenant_isolation ON public.schema_heads TO docsieve_app USING ((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)));

CREATE POLICY tenant_isolation ON public.schemas TO docsieve_app USING ((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)));

CREATE POLICY tenant_isolation ON public.spellings TO docsieve_app USING ((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)));

CREATE POLICY tenant_isolation ON public.spending TO docsieve_app USING (((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)) AND ((( SELECT public.scope_project() AS scope_project) IS NULL) OR (project_id = ( SELECT public.scope_project() AS scope_project)))));

CREATE POLICY tenant_isolation ON public.spending_months TO docsieve_app USING (((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)) AND ((( SELECT public.scope_project() AS scope_project) IS NULL) OR (project_id = ( SELECT public.scope_project() AS scope_project)))));

CREATE POLICY tenant_isolation ON public.spending_reservations TO docsieve_app USING (((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)) AND ((( SELECT public.scope_project() AS scope_project) IS NULL) OR (project_id = ( SELECT public.scope_project() AS scope_project)))));

CREATE POLICY tenant_isolation ON public.tenants TO docsieve_app USING ((id = ( SELECT public.scope_tenant() AS scope_tenant)));

CREATE POLICY tenant_isolation ON public.uploads TO docsieve_app USING (((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)) AND ((( SELECT public.scope_project() AS scope_project) IS NULL) OR (project_id = ( SELECT public.scope_project() AS scope_project)))));

CREATE POLICY tenant_isolation ON public.usage_counts TO docsieve_app USING (((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)) AND (( SELECT public.scope_project() AS scope_project) IS NULL)));

CREATE POLICY tenant_isolation ON public.webhook_attempts TO docsieve_app USING (((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)) AND ((( SELECT public.scope_project() AS scope_project) IS NULL) OR (project_id = ( SELECT public.scope_project() AS scope_project)))));

CREATE POLICY tenant_isolation ON public.webhook_deliveries TO docsieve_app USING (((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)) AND ((( SELECT public.scope_project() AS scope_project) IS NULL) OR (project_id = ( SELECT public.scope_project() AS scope_project)))));

CREATE POLICY tenant_isolation ON public.webhook_endpoints TO docsieve_app USING (((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)) AND ((( SELECT public.scope_project() AS scope_project) IS NULL) OR (project_id = ( SELECT public.scope_project() AS scope_project)))));

CREATE POLICY tenant_isolation ON public.webhook_secrets TO docsieve_app USING (((tenant_id = ( SELECT public.scope_tenant() AS scope_tenant)) AND ((( SELECT public.scope_project() AS scope_project) IS NULL) OR (project_id = ( SELECT public.scope_project() AS scope_project)))));

ALTER TABLE public.tenants ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.uploads ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.usage_counts ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.webhook_attempts ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.webhook_deliveries ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.webhook_endpoints ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.webhook_secrets ENABLE ROW LEVEL SECURITY;


-- Privileges

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.documents TO docsieve_app;

GRANT SELECT ON TABLE public.audit_log TO docsieve_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.api_keys TO docsieve_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.archive_entries TO docsieve_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.archives TO docsieve_app;

GRANT SELECT ON TABLE public.attempts TO docsieve_app;

GRANT SELECT ON TABLE public.audit_heads TO docsieve_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.batch_counts TO docsieve_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.batch_documents TO docsieve_app;

GRANT SELECT,INSERT ON TABLE public.batch_specs TO docsieve_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.batches TO docsieve_app;

GRANT SELECT,INSERT,DELETE ON TABLE public.cached_responses TO docsieve_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.chunk_vectors TO docsieve_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.chunks TO docsieve_app;

GRANT SELECT,INSERT ON TABLE public.corrections TO docsieve_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.document_classes TO docsieve_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.document_fields TO docsieve_app;

GRANT SELECT ON TABLE public.embedders TO docsieve_app;

GRANT SELECT,INSERT ON TABLE public.events TO docsieve_app;

GRANT SELECT,INSERT ON TABLE public.exceeded_budgets TO docsieve_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.extraction_documents TO docsieve_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.extractions TO docsieve_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.idempotency_keys TO docsieve_app;

GRANT SELECT,INSERT ON TABLE public.job_counts TO docsieve_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.jobs TO docsieve_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.legal_holds TO docsieve_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.lessons TO docsieve_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.packets TO docsieve_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.projects TO docsieve_app;

GRANT SELECT,INSERT,UPDATE ON TABLE public.prompt_heads TO docsieve_app;

GRANT SELECT,INSERT ON TABLE public.prompts TO docsieve_app;

GRANT SELECT,INSERT,UPDATE ON TABLE public.schema_heads TO docsieve_app;

GRANT SELECT,INSERT ON TABLE public.schemas TO docsieve_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.spellings TO docsieve_app;

GRANT SELECT,INSERT ON TABLE public.spending TO docsieve_app;

GRANT SELECT,INSERT,UPDATE ON TABLE public.spending_months TO docsieve_app;

GRANT SELECT,INSERT,DELETE ON TABLE public.spending_reservations TO docsieve_app;

GRANT SELECT ON TABLE public.tenants TO docsieve_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.uploads TO docsieve_app;

GRANT SELECT ON TABLE public.usage_counts TO docsieve_app;

GRANT SELECT,INSERT ON TABLE public.webhook_attempts TO docsieve_app;

GRANT SELECT,INSERT,UPDATE ON TABLE public.webhook_deliveries TO docsieve_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.webhook_endpoints TO docsieve_app;

GRANT SELECT,INSERT,UPDATE ON TABLE public.webhook_secrets TO docsieve_app;

revoke create on schema public from docsieve_app;
