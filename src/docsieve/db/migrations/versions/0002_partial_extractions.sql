alter table extractions
    add column allow_missing boolean not null default false,
    add column missing jsonb not null default '[]';
comment on column extractions.allow_missing is
    'Whether documents that cannot be read are left out, as long as one can be read.';
comment on column extractions.missing is
    'The documents that were left out: document_id, filename, and the code and message of the reason.';
