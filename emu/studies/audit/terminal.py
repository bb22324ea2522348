"""The audit on a terminal: a table for each post."""

from __future__ import annotations

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from emu.studies.audit.report import Report, claims_of, found_words, tally
from emu.studies.audit.rules import CANNOT, FAILS, HOLDS, NOT_RUN, WITH_CONDITION

_BETWEEN = 10
"""Characters of a line that belong to the edges of columns."""
_MEASURED = 20
"""The least width of the column with what was measured."""
_VERDICT = len("does not hold")
_NARROWEST = 60
_STYLES = {
    HOLDS: "green",
    WITH_CONDITION: "yellow",
    FAILS: "bold red",
    CANNOT: "dim",
    NOT_RUN: "magenta",
}


def print_report(report: Report, console: Console, *, verbose: bool = False) -> None:
    """Print every claim with its verdict; with ``verbose`` also rules and all figures."""
    for post in report["posts"]:
        claims = claims_of(report, post["post"])
        if not claims:
            continue
        console.print()
        title = f"{post['post']}  {post['title']} ({post['by']})"
        console.print(Text(title, style="bold"), soft_wrap=True)
        table = Table(box=box.SIMPLE_HEAD)
        widths = _widths(max(len(claim["id"]) for claim in claims), console.width)
        for heading, width in zip(("claim", "measured", "verdict"), widths, strict=True):
            table.add_column(heading, width=width, overflow="fold")
        for claim in claims:
            table.add_row(
                Text.assemble((claim["id"], "bold"), "\n", claim["says"]),
                Text(found_words(claim)),
                Text(claim["verdict"], style=_STYLES[claim["verdict"]]),
                end_section=True,
            )
        console.print(table)
        if verbose:
            for claim in claims:
                _print_details(claim, console)
    console.print()
    for line in (
        tally(report),
        report["note"],
        "Any one of them again: macproof audit ID",
        f"Done in {report['receipt']['seconds']:.1f} s.",
    ):
        console.print(Text(line), soft_wrap=True)


def _widths(longest_id: int, screen: int) -> tuple[int, int, int]:
    """Of the three columns; no id is cut as long as the screen has room for the longest."""
    room = max(screen, _NARROWEST) - _BETWEEN - _VERDICT
    claim = max(room * 4 // 9, min(longest_id, room - _MEASURED))
    return claim, room - claim, _VERDICT


def _print_details(claim: Report, console: Console) -> None:
    if not claim["rule"]:
        return
    lines = [f"{claim['id']}: {claim['rule']}"]
    lines += [f"    {name} = {value:.10g}" for name, value in claim["figures"].items()]
    console.print(Text("\n".join(lines)), soft_wrap=True)
