"""The roles that a database needs. They belong to the whole server, so no dump contains them."""

# docsieve_app: requests and job handlers take on this role for one transaction; row-level security shows it one tenant.
# docsieve_system: marks the login role, which claims, rescues and sweeps for all tenants.
# Roles belong to the whole server. A database owner who cannot create or grant them needs an administrator to do it.
ROLES = """
do $$
declare
    needed text;
begin
    foreach needed in array array['docsieve_app', 'docsieve_system'] loop
        if not exists (select from pg_roles where rolname = needed) then
            begin
                execute format('create role %I nologin', needed);
            exception
                when duplicate_object or unique_violation then null;
                when insufficient_privilege then
                    raise insufficient_privilege using message = format(
                        'An administrator must run: create role %1$I nologin; grant %1$I to %2$I',
                        needed, current_user);
            end;
        end if;
        begin
            execute format('grant %I to current_user', needed);
        exception when insufficient_privilege then
            if not pg_has_role(current_user, needed, 'usage') then
                raise insufficient_privilege using message = format(
                    'An administrator must run: grant %I to %I', needed, current_user);
            end if;
        end;
    end loop;
end $$;
grant usage on schema public to docsieve_app;
"""
