"""Explains a function of a port: in a process of its own, for new and old code may do anything."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from emu.machine.guest_process import run_apart
from emu.port.explain.explanation import PortExplainer, PortExplanation
from emu.port.model import ClaimedFunction, FunctionVerdict
from emu.port.original.session import SessionTerms
from emu.port.project.project import Project
from emu.port.recording.recordings import open_store
from emu.port.verify.build import PortBuild, build_port, claimed
from emu.port.verify.changed_calls import ChangedCalls
from emu.port.verify.tally import RefutedCall
from emu.port.verify.terms import VaryTerms
from emu.port.verify.verifier import PortVerifier


@dataclass(frozen=True, slots=True)
class ExplainTerms:
    """Which call is explained.

    Attributes:
        build: the name of the build.
        call: the number of a recorded call, from 1; 0 for the first that differs.
        vary: how recorded calls are changed if none differs; None if they are not.
        port: how the user names the port.
    """

    build: str = "O2"
    call: int = 0
    vary: VaryTerms | None = None
    port: Path = Path()

    def again(self, function: str) -> Iterator[str]:
        """The words of the command that judges a function in the same way."""
        yield from ("macproof", "port", "verify")
        if self.port != Path():
            yield str(self.port)
        yield from ("--function", function)
        if self.build != "O2":
            yield from ("--build", self.build)
        if self.vary is not None:
            yield from ("--vary", str(self.vary.amount))
            if self.vary.seed != 1:
                yield from ("--seed", str(self.vary.seed))


@dataclass(frozen=True, slots=True)
class ExplainOutcome:
    """What there is to explain.

    Attributes:
        compared: how many recorded calls were compared.
        explanation: why the function is refuted; None if it is not.
        remark: why there is no explanation, in words; "" if there is one.
    """

    compared: int
    explanation: PortExplanation | None = None
    remark: str = ""


def explain_port(project: Project, name: str, terms: ExplainTerms) -> ExplainOutcome:
    """Explain what a function does differently first.

    Args:
        project: the port.
        name: the function's name or place.
        terms: which call is explained.

    Raises:
        CaseError: a mark is wrong, or the original is another one.
        ToolMissingError, CompileError: the sources are not compiled.
        UsageError: there is no such function or call, or the file of recordings is damaged.
        ProcessDown: the function brings the engine down.
    """
    port = build_port(project, terms.build)
    (function,) = claimed(port.claims, [name], project.path)
    return run_apart(_explain, port, function, terms, program=function.name)


def _explain(port: PortBuild, function: ClaimedFunction, terms: ExplainTerms) -> ExplainOutcome:
    """Explain in this process."""
    project = port.project
    session = SessionTerms.of(project)
    with open_store(project, session) as store:
        verifier = PortVerifier(port, store, session)
        among = claimed(port.claims, (), project.path)
        tally = verifier.tally(function, among, terms.call)
        refuted, remark = tally.first, ""
        if refuted is None:
            verdict = verifier.judged(function, tally)
            remark = verdict.reason
            if tally.compared:
                refuted, remark = _among_changed(verifier, function, among, verdict, terms.vary)
        if refuted is None:
            return ExplainOutcome(tally.compared, remark=remark)
        explainer = PortExplainer(verifier, tuple(terms.again(function.name)))
        return ExplainOutcome(tally.compared, explainer.explain(function, refuted))


def _among_changed(
    verifier: PortVerifier,
    function: ClaimedFunction,
    among: Sequence[ClaimedFunction],
    verdict: FunctionVerdict,
    vary: VaryTerms | None,
) -> tuple[RefutedCall | None, str]:
    """A changed call that differs, or what is said if none does."""
    words = f"{verdict.calls} recorded calls leave the same on both"
    if vary is not None:
        changed = ChangedCalls(verifier, vary)
        verdict = changed.verdict(function, among, verdict)
        if function.name in changed.refuted:
            return changed.refuted[function.name], ""
        words += f" and {verdict.varied} changed ones"
    return None, "; ".join([words, *verdict.remarks])
