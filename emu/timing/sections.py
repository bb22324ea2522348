"""A report in words and tables, the same for the terminal and for Markdown."""

from __future__ import annotations

from emu.timing import basis_sections as basis
from emu.timing import comparison_sections as beside
from emu.timing.report import Report
from emu.timing.section import Section


def sections(report: Report) -> list[Section]:
    """All parts of a report, in the order in which they are read."""
    found: list[Section | None] = [
        *beside.speeds(report),
        beside.impossible(report),
        beside.work(report),
        *beside.event_costs(report),
        *beside.cross_ratios(report),
        beside.targets(report),
        beside.loops(report),
        *basis.sensitivities(report),
        *basis.harness(report),
        *basis.instructions(report),
        basis.footprints(report),
        *basis.sources(report),
        basis.left_out(report),
        basis.receipt(report),
    ]
    return [section for section in found if section is not None]


def heading(report: Report) -> str:
    """The title of the whole."""
    case = report["case"]
    return str(case["title"]) + (f" ({case['credit']})" if case["credit"] else "")
