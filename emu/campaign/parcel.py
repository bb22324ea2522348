"""Packs what another machine needs to run shards, and runs them there: files go by their bytes.

The case file, its sources, its own Python, the programs and the reference's program are sent.
What belongs to an installed package, such as macproof's own references, is not: each machine must
have the same text of it, which is checked there.
"""

from __future__ import annotations

import functools
import os
import pickle
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from emu.base.errors import MacproofError, UsageError
from emu.base.temporary import guarded_folder
from emu.campaign.plan import CampaignPlan
from emu.campaign.shard import Shard, run_shard
from emu.cases.case import Case
from emu.cases.case_file import read_case
from emu.cases.files.python_files import files_read
from emu.cases.keys.libraries import Library
from emu.cases.programs.selection import Selection
from emu.cases.programs.subject import Subject
from emu.engines.registry import describe_engines
from emu.program import read_program
from emu.program.mac_file.mac_file import host_files


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

    plan: CampaignPlan
    subjects: tuple[Subject, ...]
    root: str
    files: tuple[tuple[str, bytes], ...]
    folders: tuple[str, ...]

    @classmethod
    def of(cls, plan: CampaignPlan, selection: Selection) -> Parcel:
        """Pack a campaign."""
        subjects = tuple(_with_paths(one, Path.absolute) for one in selection.subjects)
        case = selection.case
        files = sorted({Path(os.path.abspath(path)) for path in _files(case, subjects)})
        folders = [Path(os.path.abspath(case.path.parent / name)) for name in case.include]
        root = Path(os.path.commonpath([*(path.parent for path in files), *folders]))
        return cls(
            plan,
            subjects,
            str(root),
            tuple((os.path.relpath(path, root), path.read_bytes()) for path in files),
            tuple(os.path.relpath(path, root) for path in folders),
        )


def _files(case: Case, subjects: Sequence[Subject]) -> Iterator[Path]:
    """The files that a case and its programs are read from, without those of packages."""
    beside = [*case.read_from, *case.sources, *files_read(case.path.parent, case.python)]
    yield from (path for name in beside if (path := case.path.parent / name).is_file())
    programs = [subject.program for subject in subjects]
    programs += [subject.types.program for subject in subjects if subject.types is not None]
    yield from (subject.native for subject in subjects if subject.native is not None)
    yield from (subject.symbols for subject in subjects if subject.symbols is not None)
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


@dataclass(frozen=True, slots=True)
class UnpackedCampaign:
    """A campaign whose files have been written on this machine.

    Attributes:
        plan: the plan, with the path of the case file on this machine.
        subjects: the programs, with their paths on this machine.
        sent: the programs as the sender knows them.
        root: the folder of the sender that all files were in.
        folder: the folder of this machine that they are in now.
    """

    plan: CampaignPlan
    subjects: tuple[Subject, ...]
    sent: tuple[Subject, ...]
    root: str
    folder: Path

    def as_sent(self, shard: Shard) -> Shard:
        """A shard whose programs are named as the sender knows them."""
        names = dict(zip(self.subjects, self.sent, strict=True))
        here, there = str(self.folder), self.root
        return replace(
            shard,
            results=tuple(
                replace(
                    result,
                    subject=names[result.subject],
                    read=tuple((name.replace(here, there), digest) for name, digest in result.read),
                )
                for result in shard.results
            ),
        )


def unpack(parcel: bytes) -> UnpackedCampaign:
    """Write the files of a pickled parcel into a temporary folder, once in a process."""
    with _unpacking:
        return _unpack(parcel)


_unpacking = threading.Lock()


@functools.lru_cache(maxsize=8)
def _unpack(parcel: bytes) -> UnpackedCampaign:
    packed: Parcel = pickle.loads(parcel)
    folder = Path(tempfile.mkdtemp(dir=guarded_folder())).resolve()
    for name in packed.folders:
        (folder / name).mkdir(parents=True, exist_ok=True)
    for name, content in packed.files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    def here(path: Path) -> Path:
        return folder / path.relative_to(packed.root)

    plan = replace(packed.plan, case=str(here(Path(packed.plan.case))))
    subjects = tuple(_with_paths(subject, here) for subject in packed.subjects)
    return UnpackedCampaign(plan, subjects, packed.subjects, packed.root, folder)


def run_unpacked(
    campaign: UnpackedCampaign, number: int, subjects: Sequence[Subject], call: int | None = None
) -> Shard:
    """Run programs on a shard of a campaign that came in a parcel; see `run_shard`.

    Raises:
        RefusedError: this machine has another engine, or another text of a Python file that is not
            sent because it is part of a package.
        CaseError: as of `run_shard`. It names the paths that the sender knows.
    """
    try:
        plan = campaign.plan
        _require_same(plan.case, plan.engine, plan.engines, tuple(plan.files.items()))
        return run_shard(plan, number, subjects, call)
    except MacproofError as error:
        here, there = str(campaign.folder), campaign.root
        error.args = tuple(str(argument).replace(here, there) for argument in error.args)
        raise


@functools.lru_cache(maxsize=8)
def _require_same(
    case: str, engine: str, engines: tuple[str, ...], files: tuple[tuple[str, str], ...]
) -> None:
    """Refuse a campaign that would find something else on this machine."""
    try:
        own = describe_engines(engines)
    except MacproofError as error:
        raise RefusedError(f"it has not the campaign's engine {engine}: {error}") from error
    if engine != own:
        raise RefusedError(f"it has the engine {own}, and the campaign {engine}")
    try:
        read = read_case(Path(case)).read_from
    except MacproofError as error:
        raise RefusedError(f"it cannot read the case: {error}") from error
    other = [name for name, sha256 in files if read.get(name) != sha256]
    if other:
        raise RefusedError(f"it has another text of {', '.join(other)} than the campaign")


def _with_paths(subject: Subject, change: Callable[[Path], Path]) -> Subject:
    """A program of which each path is changed."""
    types, declared, symbols = subject.types, subject.declared, subject.symbols
    return replace(
        subject,
        program=change(subject.program),
        types=types and replace(types, program=change(types.program)),
        declared=declared and replace(declared, case=change(declared.case)),
        symbols=symbols and change(symbols),
        native=subject.native and change(subject.native),
    )
