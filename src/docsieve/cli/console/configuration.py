"""Loads the settings for commands."""

from pydantic import ValidationError

from docsieve.errors.setup import InvalidSettings
from docsieve.settings import PREFIX, Settings

_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 only compared, not bound


def load_settings() -> Settings:
    try:
        return Settings.from_environment()
    except ValidationError as error:
        # The value is not shown, because it may be a URL with a password.
        faults = [f"{PREFIX}{str(fault['loc'][0]).upper()}: {fault['msg']}" for fault in error.errors()]
        raise InvalidSettings("; ".join(faults)) from error


def server_url(settings: Settings) -> str:
    """The server's URL: DOCSIEVE_URL, or this machine with the configured host and port."""
    if settings.url is not None:
        return settings.url.rstrip("/")
    host = _EVERYWHERE.get(settings.host, settings.host)
    return f"http://[{host}]:{settings.port}" if ":" in host else f"http://{host}:{settings.port}"
