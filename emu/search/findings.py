"""The files of findings."""

from __future__ import annotations

import re
from pathlib import Path

from emu.base.files import write_whole
from emu.verify.explain.finding import SceneFinding


def write_finding(folder: Path, number: int, finding: SceneFinding, *, below: Path) -> str:
    """Write a finding: "007-stray-store-68040-O2.json".

    Args:
        folder: the folder that it is written to.
        number: its number from 1.
        finding: the finding.
        below: the folder that the user has named, in which the other one lies.

    Returns:
        The file's path within that folder.

    Raises:
        InputError: it cannot be written there.
    """
    words = f"{number:03} {finding.symptom.kind} {finding.cpu} {finding.build}"
    path = folder / f"{re.sub(r'[^A-Za-z0-9]+', '-', words)}.json"
    write_whole(path, finding.to_json().encode(), below=below)
    return path.relative_to(below).as_posix()
