"""A report as Markdown, for a pull request or a README."""

from __future__ import annotations

import shlex

from emu.evidence.report import Report


def to_markdown(report: Report) -> str:
    """A table of results, the first failures, what was not run, and the receipt."""
    receipt = report["receipt"]
    lines = [
        f"# {receipt['case']['title']}: {report['verdict']}",
        "",
        believe(report),
        "",
        "| CPU | build | verdict | scenes | values compared | instructions |",
        "|---|---|---|--:|--:|--:|",
    ]
    for result in report["results"]:
        lines.append("| " + " | ".join(row(result)) + " |")
    failing = [r for r in report["results"] if r["failures"] or r["fault"]]
    if failing:
        lines += ["", "## Failures", ""]
    for result in failing:
        if not result["failures"]:
            lines.append(f"* {result['cpu']} {result['build']}: {result['fault']}")
        for failure in result["failures"][:1]:
            scene = f"{failure['generator']}, {failure['objects']} objects, seed {failure['seed']}"
            first = failure["summary"].splitlines()[0]
            lines.append(f"* {result['cpu']} {result['build']} ({scene}): {first}")
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
        f"* reference: `{receipt['reference']}`",
        f"* engine: {receipt['engine']}, macproof {receipt['macproof']}, "
        f"Python {receipt['python']}, NumPy {receipt['numpy']}",
    ]
    return "\n".join(lines) + "\n"


def row(result: Report) -> tuple[str, ...]:
    """One result as the cells of a table."""
    measured = result["instructions"]
    count = f"{measured['count']:,}" if measured else "-"
    return (
        result["cpu"],
        result["build"],
        result["verdict"],
        f"{result['scenes']:,}",
        f"{result['comparisons']:,}",
        count,
    )


def believe(report: Report) -> str:
    """Why to believe the verdict, in a few sentences of facts."""
    receipt = report["receipt"]
    results = report["results"]
    scenes = receipt["scenes"]
    calls = sum(r["scenes"] for r in results)
    text = (
        f"Programs: {len(results)}; scenes: {scenes['count']:,}; calls: {calls:,}. "
        f"{receipt['comparisons']:,} values compared with "
        f"{receipt['reference']}, and {receipt['bytes_compared'] / 1e6:,.0f} MB of data memory "
        "compared with what it had to be."
    )
    if scenes["seeds"]:
        text += (
            f" Scenes of {', '.join(map(str, scenes['objects']))} objects, "
            f"{', '.join(scenes['generators'])}, seeds {scenes['seeds'][0]} to "
            f"{scenes['seeds'][1]}."
        )
    measured = next((r["instructions"] for r in results if r["instructions"]), None)
    if measured:
        text += (
            f" Instructions are those of one call ({measured['generator']}, "
            f"{measured['objects']} objects, seed {measured['seed']})."
        )
    violated = sum(r["violated"] for r in results)
    faults = sum(bool(r["fault"]) for r in results)
    if violated or faults:
        return f"{text} Calls that broke the contract: {violated:,}; programs given up: {faults}."
    if not calls:
        return f"{text} Nothing was called, so nothing is known."
    return f"{text} Every call came back with stack and preserved registers restored."
