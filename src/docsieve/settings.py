"""Settings, each read from the environment variable `DOCSIEVE_<NAME>`."""

import os
import re
import shlex
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated, Any, Literal, Self, cast

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator, model_validator

from docsieve.limits import parse_limits
from docsieve.sources import overlaps, parse_entry

PREFIX = "DOCSIEVE_"

# A path or a command may contain a comma.
_BETWEEN_MASTER_KEYS = re.compile(r",\s*(?=(?:env|file|command):)")

PublicPath = Literal["livez", "readyz", "metrics", "docs"]
PortRange = tuple[Annotated[int, Field(ge=1, le=65535)], Annotated[int, Field(ge=1, le=65535)]]
"""The first and the last port."""


# More than ordinary clients ever need: they protect the server from clients that run wild.
DEFAULT_LIMITS = {"requests": "300K/min", "uploads": "1000", "upload_bytes": "100GB/min"}


class OidcCaller(BaseModel):
    """Whose OpenID Connect tokens are accepted. The issuer is Google unless another is named."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    audience: str
    email: str | None = None
    subject: str | None = None
    issuer: str = "https://accounts.google.com"
    jwks: str = "https://www.googleapis.com/oauth2/v3/certs"

    @model_validator(mode="after")
    def _names_someone(self) -> Self:
        """Anyone can get a token of Google's for any audience."""
        if self.email is None and self.subject is None:
            raise ValueError("name the caller with email= or subject=")
        if not self.jwks.startswith(("https://", "http://", "file:///")):
            raise ValueError("jwks must be an http, https or file URL")
        return self


@dataclass(frozen=True, slots=True)
class MasterKeySource:
    """Where a master key comes from: a variable, a file, or a command that wraps and unwraps."""

    kind: Literal["env", "file", "command"]
    value: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.value}"


class Settings(BaseModel):
    """Decisions of an operator. Pure tuning is a constant next to its use instead."""

    model_config = ConfigDict(extra="forbid")

    # the server
    host: str = Field("127.0.0.1", description="address that the API listens on")
    port: int = Field(8400, ge=0, le=65535, description="port that the API listens on")
    url: str | None = Field(
        None, description="URL of the server for commands and users; default: this machine at DOCSIEVE_PORT"
    )
    data_dir: Path = Field(Path("data"), description="folder of the embedded database, local blobs and temporary files")
    database_url: SecretStr | None = Field(None, description="PostgreSQL 15 or newer; default: an embedded one")
    database_direct_url: SecretStr | None = Field(
        None, description="the same database without its pooler, for migrations and notifications"
    )
    redis_url: SecretStr | None = Field(
        None, description="Redis 6.2 or newer, which then carries job ids to workers; default: PostgreSQL does"
    )
    blob_url: str | None = Field(None, description="file://, s3://, az:// or gs://; default: blobs under data_dir")
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="minimum level that is logged")
    log_format: Literal["auto", "console", "json"] = Field(
        "auto", description="auto: console on a terminal, otherwise JSON"
    )

    # access
    api_key: SecretStr | None = Field(
        None, description="for the server: bootstrap admin key of the tenant default; for clients: their key"
    )
    secret_key: SecretStr | None = Field(
        None, description="encrypts stored passwords; default: a key file under data_dir"
    )
    master_key: tuple[MasterKeySource, ...] = Field(
        (),
        description="encrypts stored files, as env:NAME, file:PATH or command:PROGRAM; several, comma-separated, for "
        "rotation: the first is the newest",
    )
    public_paths: frozenset[PublicPath] = Field(
        frozenset({"livez", "readyz", "metrics", "docs"}),
        description="paths that need no API key, comma-separated",
    )
    maintenance_token: SecretStr | None = Field(
        None, description="shared token that may run maintenance tasks, for a scheduler without an API key"
    )
    session_idle_hours: float = Field(
        12.0, gt=0, le=87_600, description="idle timeout of a dashboard session, in hours"
    )

    maintenance_oidc: OidcCaller | None = Field(
        None,
        description="whose OpenID Connect tokens may start maintenance, as audience=https://…,email=…; also subject, "
        "issuer and jwks (a URL)",
    )

    api_processes: int = Field(
        default_factory=lambda: max(1, (os.cpu_count() or 2) // 2),
        ge=1,
        le=256,
        description="number of API processes that `up` and `api` run",
    )
    limits: dict[str, str] = Field(
        DEFAULT_LIMITS,
        validate_default=True,
        description="limits of each tenant, as requests=100/s,uploads=16,upload_bytes=1GB/min; also key_requests, "
        "key_uploads and key_upload_bytes for each of its keys; off for none",
    )

    # documents
    max_upload_bytes: int = Field(2 * 1024**3, gt=0, description="maximum size of a document")
    max_archive_bytes: int = Field(
        16 * 1024**3, gt=0, description="maximum size of what an archive contains, with the archives inside it"
    )
    max_pages: int = Field(5_000, gt=0, description="maximum number of pages read per document")
    sources_allow: tuple[str, ...] = Field(
        (),
        description="buckets and hosts that documents may be downloaded from, as s3://bucket,gs://bucket/folder,"
        "https://files.example.com/{tenant}; default: none",
    )
    min_free_mb: int = Field(
        256, ge=0, description="free disk space below which uploads are refused; half of it is held in reserve"
    )
    ocr_engine: str = Field("rapidocr", description="OCR engine: rapidocr, tesseract or an installed one")
    ocr_languages: tuple[str, ...] = Field(
        ("eng",),
        description="languages of scans, comma-separated ISO 639-2 codes; rapidocr reads all Latin scripts",
    )

    # workers
    worker_processes: int = Field(
        default_factory=lambda: max(1, (os.cpu_count() or 2) // 2),
        ge=0,
        description="number of workers that `up` runs",
    )
    max_attempts: int = Field(3, ge=1, description="maximum number of attempts per job")
    lease_seconds: float = Field(
        30.0, gt=0, description="time without a heartbeat after which a job is taken from its worker"
    )
    retry_base_seconds: float = Field(
        2.0, ge=0, description="maximum delay before the first retry; doubles with each attempt"
    )
    shutdown_seconds: float = Field(25.0, gt=0, description="time that a stopping worker gives its running jobs")
    opt_out_hours: float = Field(24.0, ge=0, description="hours after which data with `persist_data: false` is deleted")
    schedules: dict[str, str] = Field(
        {},
        description="changes to when maintenance tasks run, as sweep_blobs=02:30 Europe/Berlin,prune_jobs=6h,"
        "check_files=off",
    )
    keep_jobs_days: float = Field(30.0, gt=0, description="days after which finished jobs are deleted")
    parser_processes: int = Field(
        default_factory=lambda: (os.cpu_count() or 2) + 2,
        ge=1,
        description="maximum number of parser processes per worker",
    )
    parser_memory_mb: int = Field(2048, gt=0, description="memory limit of a parser process")
    parser_seconds: float = Field(300.0, gt=0, description="time limit per page in a parser process")

    # providers
    llm: str | None = Field(
        None,
        description="default language model, as provider:model; providers: openai, azure, anthropic, gemini, mistral, "
        "compatible or an installed one",
    )
    provider_keys: dict[str, SecretStr] = Field(
        {},
        description="API keys, as openai=…,anthropic=…; names: those of DOCSIEVE_LLM, embedder and "
        "azure-document-intelligence",
    )
    provider_urls: dict[str, str] = Field(
        {},
        description="addresses of providers or gateways by the same names, as openai=https://…/v1; required for "
        "compatible, azure and azure-document-intelligence",
    )
    embedder: str = Field(
        "local",
        description="embedding model for search: local, openai:model (vectors of length 1536), openai:model:length or "
        "an installed one",
    )

    # calls to addresses that users enter
    outbound_allow: tuple[IPv4Network | IPv6Network, ...] = Field(
        (),
        description="networks that webhooks and downloads may reach although they are not public, as "
        "10.1.0.0/16,::1/128",
    )
    outbound_ports: tuple[PortRange, ...] = Field(
        ((80, 80), (443, 443), (1024, 65535)),
        description="ports that webhooks and downloads may use, as 443,8000-8999",
    )
    webhook_seconds: float = Field(10.0, gt=0, le=60, description="time that a webhook receiver has to respond")

    @classmethod
    def from_environment(cls) -> Self:
        """Variables that are empty count as not set. Raises pydantic's ValidationError."""
        named = {name: os.environ.get(PREFIX + name.upper()) for name in cls.model_fields}
        return cls.model_validate({name: value for name, value in named.items() if value})

    @field_validator("public_paths", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        if isinstance(value, str):
            return frozenset(part.strip().strip("/") for part in value.split(",") if part.strip())
        return value

    @field_validator("master_key", mode="before")
    @classmethod
    def _split_master_keys(cls, value: object) -> object:
        return key_sources(value) if isinstance(value, str) else value

    @field_validator("ocr_languages", "sources_allow", mode="before")
    @classmethod
    def _split_list(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(part.strip() for part in value.split(",") if part.strip())
        return value

    @field_validator("sources_allow")
    @classmethod
    def _check_sources(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for entry in value:
            try:
                parse_entry(entry)
            except ValueError as error:
                raise ValueError(f"{entry} {error}") from error
        return value

    @model_validator(mode="after")
    def _sources_are_not_the_blob_store(self) -> Self:
        """Its objects belong to tenants, and the server could read them all for any tenant."""
        if any(overlaps(entry, self.blob_location) for entry in self.sources_allow):
            raise ValueError("DOCSIEVE_SOURCES_ALLOW must not include the blob store")
        return self

    @field_validator("schedules", mode="before")
    @classmethod
    def _split_schedules(cls, value: object) -> object:
        return _named_values(value, form="task=schedule")

    @field_validator("provider_keys", mode="before")
    @classmethod
    def _split_keys(cls, value: object) -> object:
        return _named_values(value, form="provider=key")

    @field_validator("limits", mode="before")
    @classmethod
    def _split_limits(cls, value: object) -> object:
        limits = _named_values(value, form="limit=value")
        if isinstance(value, str):
            limits = {**DEFAULT_LIMITS, **limits}
        if isinstance(limits, dict):
            parse_limits(limits)
        return limits

    @field_validator("provider_urls", mode="before")
    @classmethod
    def _split_urls(cls, value: object) -> object:
        urls = _named_values(value, form="provider=address")
        if isinstance(urls, dict) and any("://" not in url for url in urls.values()):
            raise ValueError("write each one as provider=address, with https:// or http://")
        return urls

    @field_validator("maintenance_oidc", mode="before")
    @classmethod
    def _split_caller(cls, value: object) -> object:
        return _named_values(value, form="name=value")

    @field_validator("outbound_allow", mode="before")
    @classmethod
    def _split_networks(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(ip_network(part.strip()) for part in value.split(",") if part.strip())
        return value

    @field_validator("outbound_ports", mode="before")
    @classmethod
    def _split_ports(cls, value: object) -> object:
        if isinstance(value, str):
            pairs = [part.partition("-") for part in value.split(",") if part.strip()]
            ranges = tuple((int(first), int(last or first)) for first, _, last in pairs)
            if any(first > last for first, last in ranges):
                raise ValueError("a range starts with the smaller port")
            return ranges
        return value

    def direct_url(self, database_url: str) -> str:
        """For migrations, which a pooler in transaction mode may not support."""
        return self.database_direct_url.get_secret_value() if self.database_direct_url is not None else database_url

    @property
    def min_free_bytes(self) -> int:
        return self.min_free_mb * 1024**2

    @property
    def blob_location(self) -> str:
        return blob_location(self.blob_url, self.data_dir)


def blob_location(blob_url: str | None, data_dir: Path) -> str:
    """Where blobs are stored: in the data directory unless configured otherwise."""
    return blob_url or (data_dir.absolute() / "blobs").as_uri()


def key_sources(text: str) -> tuple[MasterKeySource, ...]:
    """`env:NAME,file:PATH` as sources. Raises ValueError."""
    parts = [part.strip().partition(":") for part in _BETWEEN_MASTER_KEYS.split(text)]
    if any(kind not in ("env", "file", "command") or not source.strip() for kind, _, source in parts):
        raise ValueError("write each one as env:NAME, file:PATH or command:PROGRAM")
    if any(kind == "command" and not _is_command(source) for kind, _, source in parts):
        raise ValueError("the quotes of a command are not balanced")
    return tuple(MasterKeySource(cast(Any, kind), source.strip()) for kind, _, source in parts)


def _is_command(text: str) -> bool:
    try:
        return bool(shlex.split(text))
    except ValueError:
        return False


def _named_values(value: object, *, form: str) -> Any:
    return split_pairs(value, form=form) if isinstance(value, str) else value


def split_pairs(text: str, *, form: str = "name=value") -> dict[str, str]:
    """`a=1,b=2` as a dictionary. Raises ValueError, which does not quote the text: it may be secret."""
    pairs = [part.partition("=") for part in text.split(",") if part.strip()]
    if not all(name.strip() and given.strip() for name, _, given in pairs):
        raise ValueError(f"write each one as {form}")
    return {name.strip(): given.strip() for name, _, given in pairs}
