"""Reads reports of verifications from JSON files."""

from __future__ import annotations

from pathlib import Path

from emu.report.json_form import read_json
from emu.verify.report.report import SCHEMA, VerifyReport


def read_reports(path: Path) -> list[VerifyReport]:
    """Read a file that ``macproof verify --json`` wrote.

    Args:
        path: the file; it holds the report of one case or of many.

    Returns:
        One report for each case.

    Raises:
        InputError: the file is missing, too large, not JSON, or not a report. The message names
            the damaged value, such as "results.0.build".
    """
    return read_json(path, VerifyReport, SCHEMA)
