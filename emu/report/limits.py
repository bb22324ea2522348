"""What a value of a JSON form may be beyond its type, told to its schema by annotated types."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Annotated, Any, get_args, get_origin


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a value, as the keywords of JSON Schema that have these names say them.

    Attributes:
        minimum: the least number, or None.
        maximum: the largest number, or None.
        pattern: what a text must be like, or None.
        max_length: how many characters a text has at most, or None.
        enum: the values that it can have; () for any.
    """

    minimum: int | None = None
    maximum: int | None = None
    pattern: str | None = None
    max_length: int | None = None
    enum: tuple[str, ...] = ()

    def keywords(self) -> dict[str, object]:
        """The limits as the keywords of a schema."""
        words = {
            "minimum": self.minimum,
            "maximum": self.maximum,
            "pattern": self.pattern,
            "maxLength": self.max_length,
            "enum": list(self.enum) or None,
        }
        return {name: value for name, value in words.items() if value is not None}


class Placement(Enum):
    """Where the JSON form of a dataclass stands that is a field of another."""

    FLAT = auto()
    """Its keys are among those of the other: ``Annotated[SceneName, FLAT]``."""


FLAT = Placement.FLAT


def is_flat(kind: Any) -> bool:
    """Whether the type of a field is ``Annotated[X, FLAT]``."""
    return get_origin(kind) is Annotated and FLAT in get_args(kind)


Natural = Annotated[int, Limits(minimum=0)]
"""A whole number from 0 on."""

Sha256 = Annotated[str, Limits(pattern="^[0-9a-f]{64}$")]
"""A SHA-256 in hexadecimal."""

FileName = Annotated[str, Limits(max_length=4096)]
"""The path of a file, no longer than systems allow."""
