"""Errors about webhooks."""

from docsieve.errors import Conflict


class TooManyEndpoints(Conflict):
    """The tenant has as many webhook endpoints as it can have."""

    code = "too_many_endpoints"


class EndpointDisabled(Conflict):
    """The webhook endpoint is disabled. Enable it first."""

    code = "endpoint_disabled"
