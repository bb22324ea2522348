"""Packs what another machine needs to run shards, and runs them there: files go by their bytes.

The case file, its sources, its own Python, the programs and the reference's program are sent.
What belongs to an installed package, such as macproof's own references, is not: each machine must
have the same text of it, which is checked there.
"""

from __future__ import annotations

import contextlib
import functools
import os
import pickle
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from emu.base.errors import MacproofError, UsageError
from emu.base.temporary import guarded_folder
from emu.campaign.plan import Plan
from emu.campaign.shard import Shard, run_shard
from emu.cases.case import Case
from emu.cases.case_file import read_case
from emu.cases.programs import Selection, Subject
from emu.cases.references import Library
from emu.machine.engine import describe_engine
from emu.program import read_program
from emu.program.mac_file import host_files


@dataclass(frozen=True, slots=True)
class Parcel:
    """A campaign with its files, for another machine.

    Attributes:
        plan: the plan, with the path of the case file on the machine that sends it.
        subjects: the programs, with their paths there.
        root: the folder there that all files are in.
        files: the bytes of each file, by its path relative to ``root``.
        folders: the folders that must exist, by their paths relative to ``root``.
    """

    plan: Plan
    subjects: tuple[Subject, ...]
    root: str
    files: tuple[tuple[str, bytes], ...]
    folders: tuple[str, ...]

    @classmethod
    def of(cls, plan: Plan, selection: Selection) -> Parcel:
        """Pack a campaign."""
        subjects = tuple(map(_absolute, selection.subjects))
        case = selection.case
        files = sorted({path.absolute() for path in _files(case, subjects)})
        folders = [(case.path.parent / name).absolute() for name in case.include]
        root = Path(os.path.commonpath([*(path.parent for path in files), *folders]))
        return cls(
            plan,
            subjects,
            str(root),
            tuple((os.path.relpath(path, root), path.read_bytes()) for path in files),
            tuple(os.path.relpath(path, root) for path in folders),
        )

    def relative(self, path: Path) -> Path:
        """A path of the sender, relative to ``root``."""
        return path.relative_to(self.root)


def _files(case: Case, subjects: Sequence[Subject]) -> Iterator[Path]:
    """The files that a case and its programs are read from, without those of packages."""
    beside = [*case.read_from, *case.sources]
    if case.contender is not None:
        beside += filter(None, (case.contender.larger, case.contender.timed))
    yield from (path for name in beside if (path := case.path.parent / name).is_file())
    programs = [one.program for one in subjects]
    programs += [one.types.program for one in subjects if one.types is not None]
    yield from (one.symbols for one in subjects if one.symbols is not None)
    if isinstance(case.routine, Library):
        yield case.routine.library
    elif case.routine is not None:
        programs.append(case.routine.program)
        symbols = read_program(case.routine.program).symbol_file
        yield from () if symbols is None else (symbols,)
    for program in programs:
        yield from host_files(program)


class RefusedError(UsageError):
    """A machine may not take part in a campaign, because it would find something else."""


def run_packed(parcel: bytes, number: int, subjects: Sequence[Subject]) -> Shard:
    """Run programs on a shard, on a machine that has nothing of the campaign but a parcel.

    Args:
        parcel: the parcel, pickled.
        number: the number of the shard.
        subjects: the programs, as the parcel has them.

    Raises:
        RefusedError: this machine has another engine, or another text of a Python file that is not
            sent because it is part of a package.
        CaseError: as of `run_shard`.
    """
    packed, folder = _unpack(parcel)
    with _told_as_sent(packed, folder):
        here = [_with_paths(one, lambda path: folder / packed.relative(path)) for one in subjects]
        shard = run_shard(_plan_in(folder, packed), number, here)
    results = zip(shard.results, subjects, strict=True)
    return replace(shard, results=tuple(replace(one, subject=name) for one, name in results))


@functools.lru_cache(maxsize=2)
def _unpack(parcel: bytes) -> tuple[Parcel, Path]:
    """Write the files of a parcel into a temporary folder, which lasts as long as this process."""
    packed: Parcel = pickle.loads(parcel)
    folder = Path(tempfile.mkdtemp(dir=guarded_folder())).resolve()
    for name in packed.folders:
        (folder / name).mkdir(parents=True, exist_ok=True)
    for name, content in packed.files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    with _told_as_sent(packed, folder):
        _require_same(_plan_in(folder, packed))
    return packed, folder


def _plan_in(folder: Path, packed: Parcel) -> Plan:
    return replace(packed.plan, case=str(folder / packed.relative(Path(packed.plan.case))))


@contextlib.contextmanager
def _told_as_sent(packed: Parcel, folder: Path) -> Iterator[None]:
    """Errors name the paths that the sender knows."""
    try:
        yield
    except MacproofError as error:
        error.args = tuple(str(one).replace(str(folder), packed.root) for one in error.args)
        raise


def _require_same(plan: Plan) -> None:
    """Refuse a campaign that would find something else on this machine."""
    if plan.engine != describe_engine():
        raise RefusedError(f"it has the engine {describe_engine()}, and the campaign {plan.engine}")
    try:
        read = read_case(Path(plan.case)).read_from
    except MacproofError as error:
        raise RefusedError(f"it cannot read the case: {error}") from error
    other = [name for name in plan.files if read.get(name) != plan.files[name]]
    if other:
        raise RefusedError(f"it has another text of {', '.join(other)} than the campaign")


def _absolute(subject: Subject) -> Subject:
    return _with_paths(subject, Path.absolute)


def _with_paths(subject: Subject, change: Callable[[Path], Path]) -> Subject:
    """A program of which each path is changed."""
    types, declared, symbols = subject.types, subject.declared, subject.symbols
    return replace(
        subject,
        program=change(subject.program),
        types=types and replace(types, program=change(types.program)),
        declared=declared and replace(declared, case=change(declared.case)),
        symbols=symbols and change(symbols),
    )
