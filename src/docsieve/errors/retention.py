"""Deletion that is not allowed, and data that was deleted."""

from docsieve.errors import Conflict, DocsieveError


class OriginalDeleted(DocsieveError):
    """The uploaded file of the document was deleted; its pages and results remain."""

    status = 410
    code = "original_deleted"


class LegalHold(Conflict):
    """It is under legal hold and cannot be deleted."""

    code = "legal_hold"


class AlreadyHeld(Conflict):
    """It is already under legal hold. Release that hold first."""

    code = "already_held"


class TenantDeleted(Conflict):
    """The tenant is being deleted."""

    code = "tenant_deleted"


class OperatorTenant(Conflict):
    """The tenant of the server's operator cannot be deleted."""

    code = "operator_tenant"


class AuditLogDamaged(Conflict):
    """An entry of the audit log is missing or was altered."""

    code = "audit_log_damaged"
