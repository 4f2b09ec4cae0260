"""Errors of calls to addresses that users enter, such as webhook receivers.

A message never contains what a name resolved to: tenants can read it, and could map an internal network with it.
"""

from docsieve.errors import AttemptError, Invalid


class UrlInvalid(Invalid):
    """The URL is not valid."""

    code = "url_invalid"


class AddressNotAllowed(Invalid):
    """The URL leads to an address or port that this server does not call."""

    code = "address_not_allowed"


class ReceiverUnreachable(AttemptError):
    """The receiver could not be reached."""

    status = 502
    code = "receiver_unreachable"


class ReceiverTimeout(AttemptError):
    """The receiver did not respond in time."""

    status = 504
    code = "receiver_timeout"


class WebhookNotVerified(Invalid):
    """The webhook is not authentic."""

    code = "webhook_not_verified"


class SigningKeyInvalid(Invalid):
    """The key must be a secret (whsec_…), a private key (whsk_…) or a public key (whpk_…), in base64."""

    code = "signing_key_invalid"
