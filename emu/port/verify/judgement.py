"""Judges the functions of a port in other processes: all of them, or those that have changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from emu.base.processes.workers import ProcessDown, default_jobs
from emu.cycles.models import model_for
from emu.machine.guest_process import GuestWorkers, run_apart
from emu.port.model import INCONCLUSIVE, ClaimedFunction, FunctionVerdict
from emu.port.original.session import SessionTerms
from emu.port.project.project import Project
from emu.port.recording.recordings import open_store
from emu.port.status.verdicts import PortDigests, read_verdicts, write_verdicts
from emu.port.verify.build import PortBuild, build_port, claimed
from emu.port.verify.documents import PortVerifyReport
from emu.port.verify.grounds import grounds_of
from emu.port.verify.terms import VerifyTerms
from emu.port.verify.verifier import PortVerifier

_FEW = 8
"""So many functions are judged sooner than another process with an engine has started."""


@dataclass(frozen=True, slots=True)
class _Work:
    """What a process needs to judge functions.

    Attributes:
        port: the port, compiled.
        among: the functions that are linked.
        terms: how they are judged.
    """

    port: PortBuild
    among: Sequence[ClaimedFunction]
    terms: VerifyTerms


def verify_port(
    project: Project,
    names: Sequence[str] = (),
    terms: VerifyTerms | None = None,
    *,
    is_kept: bool = True,
) -> PortVerifyReport:
    """Judge functions of a port, and keep the verdicts beside it.

    Guest code runs in other processes. A function that brings one down has no verdict, and the
    others have.

    Args:
        project: the port.
        names: names or places of functions; all if there are none.
        terms: how they are judged.
        is_kept: whether the verdicts are kept.

    Raises:
        CaseError: a mark is wrong, or the original is another one.
        ToolMissingError, CompileError: the sources are not compiled.
        UsageError: there is no such function, or the file of recordings is damaged.
    """
    terms = terms or VerifyTerms()
    digests = PortDigests(project)
    digests.read()  # before it is compiled: what is edited meanwhile has no verdict then
    port = build_port(project, terms.build)
    functions = claimed(port.claims, names, project.path)
    grounds = grounds_of(port, functions, digests, terms)
    kept: dict[str, FunctionVerdict] = {}
    if terms.only_changed:
        known = read_verdicts(project)
        kept = {
            place: verdict
            for place, verdict in known.items()
            if place in grounds and grounds[place].items() <= verdict.digests.items()
        }
    changed = [one for one in functions if one.place not in kept]
    among = changed
    if terms.together:
        among = [one for one in claimed(port.claims, (), project.path) if one.is_defined]
    found = {one.place: one for one in _judged(_Work(port, among, terms), changed)}
    fresh = [replace(found[one.place], digests=grounds[one.place]) for one in changed]
    if is_kept and not terms.only_call:
        write_verdicts(project, fresh)
    verdicts = {**kept, **{one.place: one for one in fresh}}
    return PortVerifyReport(
        project.path.name,
        terms.build,
        tuple(verdicts[one.place] for one in functions),
        tuple(one.name for one in functions if one.place in kept),
        terms.together,
    )


def _judged(work: _Work, functions: Sequence[ClaimedFunction]) -> Iterator[FunctionVerdict]:
    """The verdicts of functions, in any order."""
    jobs = work.terms.jobs or default_jobs()
    if work.terms.vary is None:
        jobs = min(jobs, 1 + len(functions) // _FEW)
    with GuestWorkers(jobs) as workers:
        if jobs == 1 or len(functions) < 2:
            yield from workers.once(_judge, work, functions, alone=_one_by_one) if functions else ()
            return
        parts = min(2 * jobs, len(functions))
        calls = [(work, functions[number::parts]) for number in range(parts)]
        for _, verdicts in workers.each(_judge, calls, alone=_one_by_one):
            yield from verdicts


def _judge(work: _Work, functions: Sequence[ClaimedFunction]) -> list[FunctionVerdict]:
    """Judge functions in this process."""
    project, vary = work.port.project, work.terms.vary
    terms = SessionTerms.of(project)
    with open_store(project, terms) as store:
        model = model_for(work.terms.cycles) if work.terms.cycles else None
        verifier = PortVerifier(work.port, store, terms, together=work.terms.together, model=model)
        verdicts = list(verifier.verdicts(functions, work.among, work.terms.only_call))
        if vary is not None:
            from emu.port.verify.changed_calls import ChangedCalls  # no other verdict needs it

            changed = ChangedCalls(verifier, vary)
            verdicts = [
                changed.verdict(function, work.among, verdict)
                for function, verdict in zip(functions, verdicts, strict=True)
            ]
    return verdicts


def _one_by_one(work: _Work, functions: Sequence[ClaimedFunction]) -> list[FunctionVerdict]:
    """Judge functions of which one has brought a process down, each in a process of its own."""
    verdicts: list[FunctionVerdict] = []
    for function in functions:
        try:
            verdicts += run_apart(_judge, work, [function], program=function.name)
        except ProcessDown as error:
            verdicts.append(
                FunctionVerdict(function.name, function.place, INCONCLUSIVE, str(error))
            )
    return verdicts
