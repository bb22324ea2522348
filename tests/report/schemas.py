"""What is remembered of the JSON schemas of reports. Run as a module, this writes it anew."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import jsonschema

from emu.commands.schema import WRITTEN, schema_text
from posts.schemas import WRITTEN as WRITTEN_BY_POSTS

EVERY = {**WRITTEN, **WRITTEN_BY_POSTS}
"""What commands write, be they of macproof or of the posts."""

DIGESTS = Path(__file__).with_name("schemas.sha256")


def shape_of(schema: Any) -> Any:
    """A schema without its descriptions, which readers of data do not depend on."""
    match schema:
        case dict():
            return {
                key: shape_of(value)
                for key, value in schema.items()
                if key != "description" or not isinstance(value, str)
            }
        case list():
            return [shape_of(one) for one in schema]
    return schema


def digest(schema: Any) -> str:
    """The SHA-256 of a schema's shape, in hexadecimal; the order of keys does not count."""
    return hashlib.sha256(json.dumps(shape_of(schema), sort_keys=True).encode()).hexdigest()


def digests() -> str:
    """A line for each schema of what commands write, as they are now."""
    return "".join(f"{digest(json.loads(schema_text(name)))}  {name}\n" for name in sorted(EVERY))


def require_schema(data: Any, name: str) -> None:
    """See that data are as the schema of this name says."""
    assert data["schema"] == name
    jsonschema.validate(data, json.loads(schema_text(name)))


def read(path: Path, name: str) -> Any:
    """Data of a JSON file, which are as the schema of this name says."""
    data = json.loads(path.read_text())
    require_schema(data, name)
    return data


if __name__ == "__main__":
    DIGESTS.write_text(digests())
