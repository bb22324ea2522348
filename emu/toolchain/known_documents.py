"""Checks documents against their schemas, each text once: the check takes longer than all else."""

from __future__ import annotations

import json
from importlib import resources

from emu import __version__
from emu.base.yaml_document import YamlDocument
from emu.toolchain import build_cache


def check_once(document: YamlDocument, home: str) -> None:
    """Check a document, unless the same text was found right before; see `build_cache.remember`.

    Args:
        document: the document.
        home: a JSON Schema in a package: "emu.cases:case.schema.json".

    Raises:
        CaseError: it does not fit, with the line, and a suggestion for a misspelled word.
    """
    package, _, name = home.partition(":")
    schema = resources.files(package).joinpath(name).read_text("utf-8")
    key = build_cache.key_of(name, __version__, schema, document.sha256)
    if not build_cache.is_known(key):
        document.check(json.loads(schema))
        build_cache.remember(key)
