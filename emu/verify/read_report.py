"""Reports read from files: of one case, or of many."""

from __future__ import annotations

from pathlib import Path

from emu.report.json_form import from_plain, read_json
from emu.verify.report import SCHEMA, VerifyReport


def read_reports(path: Path) -> list[VerifyReport]:
    """Read what ``macproof verify --json`` wrote: a report for each case.

    Raises:
        InputError: it is missing, too large, not JSON, or not a report, with the place in it
            ("results.0.build").
    """
    reports = read_json(path, SCHEMA, "emu.verify", "report.schema.json")
    return [from_plain(VerifyReport, report) for report in reports]
