"""A report as Markdown, for a pull request or a README."""

from __future__ import annotations

import shlex

from emu.base.printable import one_line
from emu.evidence.report import Report
from emu.evidence.words import (
    believe,
    borrowed,
    caveats,
    failures,
    instructions,
    row,
)


def to_markdown(report: Report) -> str:
    """A table of results, the first failures, what was not run, and the receipt."""
    receipt = report["receipt"]
    caveat = caveats(report)
    lines = [
        f"# {receipt['case']['title']}: {report['verdict']}" + (f" ({caveat})" if caveat else ""),
        "",
        believe(report),
        "",
        "| CPU | build | verdict | scenes | values compared | instructions |",
        "|---|---|---|--:|--:|--:|",
    ]
    for result in report["results"]:
        lines.append("| " + " | ".join(row(result)) + " |")
    failing = failures(report)
    if failing:
        lines += ["", "## Failures", ""]
        lines += [f"* {text}" for text in failing]
    lacking = instructions(report)
    if lacking:
        lines += ["", "## Instructions", "", *(f"* {text}" for text in lacking)]
    if report["not_run"]:
        lines += ["", "## Not run", ""]
        lines += [f"* {item['what']}: {item['why']}" for item in report["not_run"]]
    source = receipt["source"]
    lines += [
        "",
        "## Receipt",
        "",
        f"* command: `{shlex.join(receipt['command'])}`",
        f"* source: {source['replaced_by'] or ', '.join(source['files'])}, "
        f"SHA-256 of everything compiled `{source['sha256']}`",
        f"* programs: {receipt['programs']}",
        *(f"* {text}" for text in borrowed(report)),
        f"* reference: `{receipt['reference']}`",
        f"* engine: {receipt['engine']}, macproof {receipt['macproof']}, "
        f"Python {receipt['python']}, NumPy {receipt['numpy']}",
    ]
    return "\n".join(map(one_line, lines)) + "\n"
