"""The verdicts of a port's functions, in verdicts.json beside port.yaml."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from emu.base.errors import InputError
from emu.base.files import write_whole
from emu.port.model import INCONCLUSIVE, PROVED, REFUTED, VERIFIED, FunctionVerdict
from emu.port.project.project import Project
from emu.report.json_form import read_json, to_json

SCHEMA = "macproof.verdicts/1"
VERDICTS_FILE = "verdicts.json"
_WORDS = (VERIFIED, REFUTED, INCONCLUSIVE, PROVED)


@dataclass(frozen=True, slots=True)
class Verdicts:
    """The verdicts of a port.

    Attributes:
        original: the digest of the old program that they are about.
        functions: a verdict for each function that was judged, in the order of places.
    """

    original: str
    functions: Sequence[FunctionVerdict]


def verdicts_path(project: Project) -> Path:
    """The file with the verdicts of a port."""
    return project.folder / VERDICTS_FILE


def read_verdicts(project: Project) -> dict[str, FunctionVerdict]:
    """The verdicts of a port by the places of functions; none if nothing was judged yet.

    A verdict that rests on another original is inconclusive now, and its reason says so.

    Raises:
        InputError: the file is damaged; the message has the place in it.
    """
    path = verdicts_path(project)
    if not path.exists():
        return {}
    file = _read(path)
    found: dict[str, FunctionVerdict] = {}
    for index, verdict in enumerate(file.functions):
        if verdict.place in found:
            raise _damaged(path, f"{verdict.place} has two verdicts", f"functions.{index}.place")
        found[verdict.place] = verdict
    if file.original == project.digest:
        return found
    reason = "its verdict is about another original"
    return {
        place: replace(verdict, verdict=INCONCLUSIVE, reason=reason)
        for place, verdict in found.items()
    }


def _read(path: Path) -> Verdicts:
    """The verdicts in a file.

    Raises:
        InputError: as of `read_verdicts`.
    """
    files = read_json(path, Verdicts, SCHEMA)
    if len(files) != 1:
        raise _damaged(path, f"it holds {len(files)} reports", "reports")
    for index, verdict in enumerate(files[0].functions):
        where = f"functions.{index}"
        if verdict.verdict not in _WORDS:
            problem = f"{verdict.verdict!r:.40} is no verdict; there are {', '.join(_WORDS)}"
            raise _damaged(path, problem, f"{where}.verdict")
        if not 0 <= verdict.reached <= verdict.blocks:
            problem = f"{verdict.reached} of {verdict.blocks} blocks cannot be reached"
            raise _damaged(path, problem, f"{where}.reached")
    return files[0]


def write_verdicts(project: Project, verdicts: Iterable[FunctionVerdict]) -> None:
    """Write verdicts beside those of other functions, whole or not at all.

    Verdicts about another original are left out.

    Args:
        project: the port.
        verdicts: new ones, which take the place of older ones of the same functions.

    Raises:
        InputError: the file that is there is damaged, or cannot be written.
    """
    path = verdicts_path(project)
    kept: Mapping[str, FunctionVerdict] = {}
    if path.exists():
        file = _read(path)
        kept = {one.place: one for one in file.functions if file.original == project.digest}
    together = {**kept, **{one.place: one for one in verdicts}}
    ordered = [together[place] for place in sorted(together)]
    write_whole(path, to_json(Verdicts(project.digest, ordered), SCHEMA).encode())


def _damaged(path: Path, problem: str, where: str) -> InputError:
    remedy = "Take an older one, or remove it and verify again: macproof port verify."
    return InputError(path, problem, where=where, remedy=remedy)
