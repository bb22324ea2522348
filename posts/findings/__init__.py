"""Findings: defects of the published programs, each shown again by running it."""

from __future__ import annotations

from posts.findings.check import check_findings
from posts.findings.model import Finding, FindingsFile
from posts.findings.read import find_findings_files, read_findings
from posts.findings.result import NOT_RUN, NOT_SHOWN, SHOWN, FindingResult

__all__ = [
    "NOT_RUN",
    "NOT_SHOWN",
    "SHOWN",
    "Finding",
    "FindingResult",
    "FindingsFile",
    "check_findings",
    "find_findings_files",
    "read_findings",
]
