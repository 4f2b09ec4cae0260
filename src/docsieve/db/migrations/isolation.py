"""Row-level security of tables, for the migrations that create them."""

from docsieve.db.migrations.runner import run_script

# Forced, so that row-level security applies to the owner of the tables too.
_ISOLATION = """
alter table {table} enable row level security;
alter table {table} force row level security;
create policy system_access on {table} to docsieve_system using (true) with check (true);
"""

_TENANT_ACCESS = """
create policy tenant_isolation on {table} to docsieve_app using ({condition});
grant {rights} on {table} to docsieve_app;
"""

# As subqueries these are evaluated once per statement instead of once per row: a search reads thousands of rows.
SAME_TENANT = "tenant_id = (select scope_tenant())"
SAME_PROJECT = f"{SAME_TENANT} and ((select scope_project()) is null or project_id = (select scope_project()))"

READ, ADD, CHANGE, EDIT = "select", "select, insert", "select, insert, update", "select, insert, update, delete"


def isolate(table: str, condition: str, rights: str) -> None:
    """Show requests the rows of `table` that match `condition`, with these privileges on them."""
    hide(table)
    run_script(_TENANT_ACCESS.format(table=table, condition=condition, rights=rights))


def hide(table: str) -> None:
    """Hide the whole table from requests."""
    run_script(_ISOLATION.format(table=table))
