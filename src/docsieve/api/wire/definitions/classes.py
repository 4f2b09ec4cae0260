"""Requests and responses about document classes."""

from datetime import datetime
from typing import Annotated

from pydantic import Field, StringConstraints

from docsieve.api.text import Name, Text
from docsieve.api.wire.base import Body, ListPage, Wire
from docsieve.db.definitions.classes import OwnClass
from docsieve.domain.classes import BUILT_IN


class ClassCreate(Body):
    name: Name
    description: Annotated[Text, StringConstraints(min_length=1)] = Field(
        description="What these documents are, including words that typically appear on them."
    )


class ClassRead(Wire):
    name: str
    description: str
    built_in: bool
    created_at: datetime | None = Field(None, description="Null for built-in classes.")


class ClassPage(ListPage):
    classes: list[ClassRead]


def all_classes(own: list[OwnClass]) -> list[ClassRead]:
    return [
        *(ClassRead(name=each.name, description=each.description, built_in=True, created_at=None) for each in BUILT_IN),
        *(one_class(each) for each in own),
    ]


def one_class(own: OwnClass) -> ClassRead:
    return ClassRead(name=own.name, description=own.description, built_in=False, created_at=own.created_at)
