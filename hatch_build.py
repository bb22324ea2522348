"""Puts the JSON Schemas of reports into the source distribution, and so into the wheel made of it.

They are made of dataclasses, so building a source distribution imports what macproof needs.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class SchemaHook(BuildHookInterface):
    """The hook that hatch calls."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write them, and name them to hatch."""
        sys.path.insert(0, self.root)
        from emu.commands.schema import WRITTEN, file_name, text_of
        from posts import schemas

        self._folder = tempfile.TemporaryDirectory()  # as long as the hook
        for name, (home, _) in {**WRITTEN, **schemas.WRITTEN}.items():
            path = Path(self._folder.name, file_name(name))
            path.write_text(text_of(name, home), encoding="utf-8")
            build_data["force_include"][str(path)] = f"macproof/schemas/{path.name}"
