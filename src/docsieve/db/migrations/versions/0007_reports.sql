alter table projects
    add column fallback_engine text;
comment on column projects.fallback_engine is
    'The engine that extracts if the chosen one fails for good or its provider is down.';

alter table extractions
    add column fallback_engine text,
    add column fallback_from jsonb,
    add column webhook_url text;
comment on column extractions.fallback_from is
    'The engine that was chosen, with code and message of its error, if fallback_engine made the result. Then engine is '
    'the one that made it.';
comment on column extractions.webhook_url is 'Stored and returned; nothing is sent to it yet.';
