"""Why a TLS connection was not made, in words an operator can act on."""

import ssl


def tls_problem(error: BaseException | None) -> str | None:
    """The reason in one line, if this error or one that led to it came from TLS. Names hosts, never a password."""
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return f"its certificate is not accepted: {error.verify_message.rstrip('.')}"
        if isinstance(error, ssl.SSLError):
            return f"TLS failed: {(error.reason or 'unknown reason').replace('_', ' ').lower()}"
        if isinstance(error, ConnectionError) and "rejected SSL upgrade" in str(error):
            return "it does not offer TLS, which sslmode requires"
        error = error.__cause__ or error.__context__
    return None
