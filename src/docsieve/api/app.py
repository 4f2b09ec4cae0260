"""The web application: routes, errors and documentation around one set of resources."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from docsieve import __version__
from docsieve.api import problems, reference
from docsieve.api.access import OPENAPI_SECURITY, RecentHolders
from docsieve.api.dashboard import installed_dashboard
from docsieve.api.http.middleware import RequestFrame
from docsieve.api.limits.buckets import SharedBuckets
from docsieve.api.limits.limiter import Limiter
from docsieve.api.routes import (
    batches,
    engines,
    events,
    extractions,
    jobs,
    maintenance,
    projects,
    reports,
    search,
    webhooks,
)
from docsieve.api.routes.admin import audit, holds, keys, operations, queues, session, tenant_deletions, tenants, usage
from docsieve.api.routes.definitions import classes, prompts, schemas
from docsieve.api.routes.documents import (
    archive_entries,
    content,
    direct_uploads,
    fields,
    page_images,
    redacted,
    samples,
    splits,
    status,
    uploads,
)
from docsieve.api.routes.documents import changes as document_changes
from docsieve.api.routes.documents import read as documents
from docsieve.api.routing import API_PREFIX
from docsieve.api.waiting import waiting_requests
from docsieve.errors import TooLarge
from docsieve.resources import Resources
from docsieve.services.access.oidc import OidcVerifier
from docsieve.services.audit.refused_sign_ins import RefusedSignIns
from docsieve.settings import Settings

# The busiest come first, because the framework tries one after the other.
_ROUTERS = (
    uploads.router,
    direct_uploads.router,
    fields.router,
    reports.router,
    document_changes.router,
    documents.router,
    archive_entries.router,
    splits.router,
    extractions.router,
    batches.router,
    events.router,
    engines.router,
    content.router,
    page_images.router,
    redacted.router,
    search.router,
    webhooks.router,
    classes.router,
    jobs.router,
    queues.router,
    maintenance.router,
    projects.router,
    schemas.router,
    prompts.router,
    usage.router,
    audit.router,
    holds.router,
    keys.router,
    tenants.router,
    tenant_deletions.router,
    session.router,
    samples.router,
)

_TOO_LARGE = problems.problems(TooLarge)[TooLarge.status]


def create_app(
    settings: Settings,
    open_resources: Callable[[], AbstractAsyncContextManager[Resources]],
    *,
    metrics_folder: Path | None = None,
    buckets: SharedBuckets | None = None,
) -> FastAPI:
    """`metrics_folder` and `buckets` are what the API processes of this machine share."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with open_resources() as resources:
            app.state.resources, app.state.recent_holders = resources, RecentHolders()
            app.state.refused_sign_ins = RefusedSignIns()
            shared = buckets or SharedBuckets()
            app.state.limiter = Limiter(shared, settings.limits)
            scheduler = settings.maintenance_oidc
            app.state.oidc_verifier = OidcVerifier(scheduler) if scheduler is not None else None
            async with waiting_requests(resources) as app.state.waiting:
                yield
            shared.close()

    documented = "docs" in settings.public_paths
    app = FastAPI(
        title="Docsieve",
        version=__version__,
        summary="Extracts pages, text and fields from documents, with evidence for every field.",
        lifespan=lifespan,
        openapi_url=f"{API_PREFIX}/openapi.json" if documented else None,
        docs_url=None,
        redoc_url=None,
    )
    problems.install(app)
    if documented:
        reference.install(app)
    # The first routes are found fastest.
    for router in (status.router, operations.router(settings, metrics_folder), *_ROUTERS):
        app.router.routes.extend(router.routes)
    app.router.default = installed_dashboard(app.router.default)
    app.add_middleware(RequestFrame)
    app.openapi = lambda: _openapi(app, settings)  # type: ignore[method-assign]
    return app


def _openapi(app: FastAPI, settings: Settings) -> dict[str, object]:
    if app.openapi_schema is None:
        schema = get_openapi(title=app.title, version=app.version, summary=app.summary, routes=app.routes)
        components = schema.setdefault("components", {})
        components["securitySchemes"] = OPENAPI_SECURITY
        for path, operations in schema["paths"].items():
            for operation in operations.values():
                if path.strip("/") not in settings.public_paths:
                    operation.setdefault("security", [{name: []} for name in OPENAPI_SECURITY])
                if "requestBody" in operation:  # RequestFrame limits it before the route is called
                    operation["responses"].setdefault("413", _TOO_LARGE)
        schemas = components.setdefault("schemas", {})
        schemas["Problem"] = problems.Problem.model_json_schema(ref_template="#/components/schemas/{model}")
        schemas.update(schemas["Problem"].pop("$defs", {}))
        app.openapi_schema = schema
    return app.openapi_schema
