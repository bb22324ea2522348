"""``macproof explain``: the smallest failing scene, its first wrong value, and who wrote it."""

from __future__ import annotations

import argparse
from pathlib import Path

from rich.console import Console
from rich.text import Text

from emu.base.errors import GuestError
from emu.cases.case import load_case
from emu.commands.options import add_program_options, add_scene_options, select
from emu.commands.scene_source import ChosenScene, failed_before, from_report, from_results
from emu.commands.verify import verify_selection
from emu.machine.apart import run_apart
from emu.verify.explain import Explanation, explain
from emu.verify.schedule import comparison_for

_MOST_OBJECTS_SHOWN = 12


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "what",
        metavar="REPORT|CASE",
        help="a JSON report of verify, or a case, which is then verified first",
    )
    add_program_options(parser)
    add_scene_options(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Explain the first failure; 0 if there is none."""
    chosen = _choose(arguments)
    if chosen is None:
        if not arguments.quiet:
            console.print(Text("Nothing to explain: no scene failed."), soft_wrap=True)
        return 0
    explanation = run_apart(_explain, chosen)
    if explanation is None:
        raise GuestError(failed_before(chosen))
    for line in describe(chosen, explanation):
        console.print(Text(line), soft_wrap=True)
    return 1


def _choose(arguments: argparse.Namespace) -> ChosenScene | None:
    path = Path(arguments.what)
    is_case = path.suffix in (".yaml", ".yml") or path.is_dir()
    if path.suffix == ".json" or (path.is_file() and not is_case):
        return from_report(path, arguments)
    selection = select(load_case(arguments.what), arguments)
    report = verify_selection(selection, arguments)
    return from_results([report], arguments, Path("the report"))


def _explain(chosen: ChosenScene) -> Explanation | None:
    comparison = comparison_for(chosen.case.path, chosen.subject)
    return explain(comparison, chosen.spec)


def describe(chosen: ChosenScene, found: Explanation) -> list[str]:
    """An explanation in lines of text."""
    subject = chosen.subject
    lines = [
        f"{chosen.case.name} on the {subject.cpu}, build {subject.build}, fails on a scene: "
        f"{found.spec}.",
        f"Smallest scene found that still fails (of {found.tried} tried): "
        f"objects left: {len(found.kept)} of {found.spec.objects}.",
    ]
    lines += _table(found)
    if found.fault:
        lines += ["It does not come back:", *(f"  {line}" for line in found.fault.splitlines())]
    lines += [f"It breaks the contract of a call: {violation}." for violation in found.violations]
    if found.divergence is not None:
        lines.append(f"First difference: {found.divergence}.")
        if found.writer is not None:
            lines.append(f"  last written at {found.writer}")
        else:
            lines.append("  no instruction of the routine wrote it")
        count = found.divergence.differing_bytes
        lines.append(f"  {count} byte{'s differ' if count != 1 else ' differs'} in all")
    return lines


def _table(found: Explanation) -> list[str]:
    """The objects that are left, a line each, with what the scene says of them."""
    if not len(found.kept):
        return []
    shown = slice(_MOST_OBJECTS_SHOWN)
    columns = {
        "object": [str(index) for index in range(len(found.kept))[shown]],
        "of the scene": [str(index) for index in found.kept[shown].tolist()],
    }
    for name, values in found.columns.items():
        columns[name] = [str(value) for value in values[shown].tolist()]
    widths = [max(len(name), *map(len, cells)) for name, cells in columns.items()]
    rows = [list(columns), *zip(*columns.values(), strict=True)]
    lines = [
        "  " + "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    ]
    if len(found.kept) > _MOST_OBJECTS_SHOWN:
        lines.append(f"  and {len(found.kept) - _MOST_OBJECTS_SHOWN} more")
    return lines
