"""The JSON form of data."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

from emu.report.json_form import to_json


@dataclass(frozen=True)
class _Named:
    path: Path


def test_a_file_name_that_is_no_text_can_be_written_and_read_again() -> None:
    name = os.fsdecode(b"caf\xc3\xa9 \xff")
    content = to_json(_Named(Path(name)), "macproof.test/1").encode()
    assert b"caf\xc3\xa9 \\udcff" in content
    assert os.fsencode(json.loads(content)["path"]) == b"caf\xc3\xa9 \xff"
