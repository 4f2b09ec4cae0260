"""The settings as every command reads them."""

from pydantic import ValidationError

from docsieve.cli.failures import NotSetUp
from docsieve.settings import Settings

_PREFIX = "DOCSIEVE_"


class InvalidSettings(NotSetUp):
    """A DOCSIEVE_* variable has a value it cannot have."""

    code = "invalid_settings"


def load_settings() -> Settings:
    try:
        return Settings()
    except ValidationError as error:
        # The value is not repeated: it may be a URL with a password in it.
        faults = [f"{_variable(str(fault['loc'][0]))}: {fault['msg']}" for fault in error.errors()]
        raise InvalidSettings("; ".join(faults)) from error


def _variable(location: str) -> str:
    return location if location.startswith(_PREFIX) else _PREFIX + location.upper()
