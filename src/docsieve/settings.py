"""What an operator can set, each as an environment variable `DOCSIEVE_<NAME>`."""

import os
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

PublicPath = Literal["livez", "readyz", "metrics", "docs"]


class Settings(BaseSettings):
    """Tuning that nobody needs to change stands as a constant beside its use instead."""

    model_config = SettingsConfigDict(env_prefix="DOCSIEVE_", env_ignore_empty=True, extra="ignore")

    host: str = Field("127.0.0.1", description="address the API listens on")
    port: int = Field(8400, ge=0, le=65535, description="port the API listens on")
    data_dir: Path = Field(Path("data"), description="embedded database, local blobs and temporary files")
    database_url: SecretStr | None = Field(None, description="PostgreSQL 15 or newer; without it an embedded one runs")
    database_pooler: bool = Field(False, description="the URL is a pooler in transaction mode: poll, do not listen")
    blob_url: str | None = Field(None, description="file://, s3://, az:// or gs://; default: blobs under data_dir")
    redis_url: SecretStr | None = Field(None, description="reserved for dispatch through Redis")
    api_key: SecretStr | None = Field(None, description="bootstrap admin key of tenant default; for clients, their key")
    secret_key: SecretStr | None = Field(None, description="seals stored passwords; default: a file under data_dir")
    public_paths: Annotated[frozenset[PublicPath], NoDecode] = Field(
        frozenset({"livez", "readyz", "metrics", "docs"}), description="paths that need no key, comma-separated"
    )
    session_idle_hours: float = Field(12.0, gt=0, le=87_600, description="unused for so long, a sign-in ends")
    session_hours: float = Field(168.0, gt=0, le=87_600, description="a sign-in ends after this in any case")
    max_upload_bytes: int = Field(2 * 1024**3, gt=0, description="largest document accepted")
    min_free_mb: int = Field(
        256, ge=0, description="free disk space below which uploads are refused; half of it is kept in reserve"
    )
    max_pages: int = Field(5_000, gt=0, description="most pages read of one document")
    max_pixels: int = Field(200_000_000, gt=0, description="most pixels decoded of one image")
    ocr_engine: str = Field("rapidocr", description="reads scans: rapidocr, tesseract, or an installed one")
    ocr_languages: Annotated[tuple[str, ...], NoDecode] = Field(
        ("eng",), description="languages of scans, comma-separated ISO 639-2 codes; rapidocr reads Latin ones alike"
    )
    worker_processes: int = Field(
        default_factory=lambda: max(1, (os.cpu_count() or 2) // 2), ge=0, description="workers run by `up`"
    )
    max_attempts: int = Field(3, ge=1, description="attempts before a job fails for good")
    lease_seconds: float = Field(30.0, gt=0, description="how long a worker owns a job between heartbeats")
    retry_base_seconds: float = Field(2.0, ge=0, description="first backoff; doubles with each attempt; full jitter")
    shutdown_seconds: float = Field(25.0, gt=0, description="how long a stopping worker lets its jobs finish")
    keep_jobs_days: float = Field(30.0, gt=0, description="finished jobs older than this are pruned")
    parser_processes: int = Field(
        default_factory=lambda: (os.cpu_count() or 2) + 2, ge=1, description="most parser processes of one worker"
    )
    parser_memory_mb: int = Field(2048, gt=0, description="memory of one parser process")
    parser_seconds: float = Field(300.0, gt=0, description="wall clock of one document in the parser")
    azure_endpoint: str | None = Field(
        None, description="Azure Document Intelligence, for `parser=azure-read|azure-layout`"
    )
    azure_key: SecretStr | None = Field(None, description="key of that Azure resource")
    embedder: str = Field("local", description="makes vectors for search: local, openai, or an installed one")
    embedder_url: str = Field("https://api.openai.com/v1", description="OpenAI or a compatible server, for embeddings")
    embedder_key: SecretStr | None = Field(None, description="key of that server")
    embedder_model: str = Field("text-embedding-3-small", description="model that makes the vectors")
    embedder_dimensions: int = Field(1536, gt=0, le=4000, description="length of its vectors")
    llm: str | None = Field(
        None,
        description="language model, as provider:model; providers: openai, azure, anthropic, gemini, mistral, "
        "compatible, or an installed one",
    )
    llm_url: str | None = Field(None, description="server of `compatible`, e.g. http://127.0.0.1:8000/v1")
    llm_key: SecretStr | None = Field(None, description="key of that server")
    llm_model: str = Field("gpt-4o-mini", description="model of a provider that is named without one")
    openai_key: SecretStr | None = Field(None, description="key of OpenAI")
    azure_openai_endpoint: str | None = Field(
        None, description="Azure OpenAI resource; another API version than the default as ?api-version="
    )
    azure_openai_key: SecretStr | None = Field(None, description="key of that Azure OpenAI resource")
    anthropic_key: SecretStr | None = Field(None, description="key of Anthropic")
    gemini_key: SecretStr | None = Field(None, description="key of Google's Gemini")
    mistral_key: SecretStr | None = Field(None, description="key of Mistral")
    provider_urls: Annotated[dict[str, str], NoDecode] = Field(
        {}, description="other addresses of providers, e.g. a gateway's: openai=https://…/v1,gemini=https://…"
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="least severe level logged")
    log_format: Literal["auto", "console", "json"] = Field("auto", description="auto: console on a terminal, else JSON")
    url: str | None = Field(
        None, description="where commands and users reach the server; default: this machine at DOCSIEVE_PORT"
    )

    @field_validator("public_paths", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        if isinstance(value, str):
            return frozenset(part.strip().strip("/") for part in value.split(",") if part.strip())
        return value

    @field_validator("ocr_languages", mode="before")
    @classmethod
    def _split_languages(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(part.strip() for part in value.split(",") if part.strip())
        return value

    @field_validator("provider_urls", mode="before")
    @classmethod
    def _split_urls(cls, value: object) -> object:
        if isinstance(value, str):
            pairs = [part.partition("=") for part in value.split(",") if part.strip()]
            if any("://" not in url for _, _, url in pairs):
                raise ValueError("write each as provider=address")
            return {name.strip(): url.strip() for name, _, url in pairs}
        return value

    @property
    def min_free_bytes(self) -> int:
        return self.min_free_mb * 1024**2

    @property
    def blob_location(self) -> str:
        return self.blob_url or (self.data_dir.absolute() / "blobs").as_uri()
