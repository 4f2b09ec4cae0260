alter table document_fields add column doubts jsonb not null default '[]';
comment on column document_fields.doubts is
    'Why the value, or the null, may be wrong: code, message, another value, and the evidence of that.';
