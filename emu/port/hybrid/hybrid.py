"""Runs the old program with all new functions at once, and traces a difference to its cause."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from emu.base.errors import UsageError
from emu.port.hybrid.bisection import smallest_cause
from emu.port.hybrid.playing import HybridPlay, HybridRun, HybridStage, play_hybrid, play_original
from emu.port.hybrid.run_comparison import RunDifference, compare_with_original
from emu.port.model import INCONCLUSIVE, PROVED, REFUTED, VERIFIED, ClaimedFunction
from emu.port.original.session import SessionTerms
from emu.port.project.project import Project
from emu.port.status.verdicts import read_verdicts
from emu.port.verify.build import PortBuild, build_port, claimed
from emu.program.functions.find_functions import known_functions

DONE = (VERIFIED, PROVED)
_MOST_CAUSES = 10
_SEVERAL = 3


@dataclass(frozen=True, slots=True)
class HybridRequest:
    """What is played.

    Attributes:
        project: the port.
        scripts: what the user does, one run each.
        functions: names or places of functions that are to be new; none for all.
        is_any: whether functions without a good verdict may be among them.
        build: the name of the build.
        bisect: whether a difference is traced to the functions that cause it.
    """

    project: Project
    scripts: tuple[Path, ...]
    functions: tuple[str, ...] = ()
    is_any: bool = False
    build: str = "O2"
    bisect: bool = False


@dataclass(frozen=True, slots=True)
class HybridFunction:
    """A function of the port in a hybrid.

    Attributes:
        name: its name.
        place: where the old one lies.
        has_run: whether the new one has run with any script.
        too_short: whether the old one is too short for a jump to the new one, and stayed.
    """

    name: str
    place: str
    has_run: bool
    too_short: bool


@dataclass(frozen=True, slots=True)
class HybridCause:
    """Functions that make a difference by themselves, and no fewer of them do.

    Attributes:
        functions: their names; nearly always one.
        difference: the first difference with these alone.
    """

    functions: tuple[str, ...]
    difference: str


@dataclass(frozen=True, slots=True)
class PlayedScript:
    """A script on the old program and on the hybrid.

    Attributes:
        script: the script's file, as seen from the folder of the port if it is in there.
        verdict: "verified", "refuted" or "inconclusive".
        difference: the first difference, or why there is no verdict; "" if verified.
        toolbox_calls: how many calls of the Toolbox the old program made.
        lines: how many lines of text it wrote or drew.
        pictures: how many pictures there were, besides the screen at the end.
        files: how many files it wrote.
        global_bytes: bytes of its globals, compared at the end.
        ignored_bytes: how many of them the port says not to compare.
        unsure: globals that hold addresses of locals or constants, which were not compared.
        original_seconds: the processor time of the old program with its Toolbox.
        hybrid_seconds: that of the hybrid, as far as it ran.
        causes: which functions cause a difference, if that was asked.
    """

    script: str
    verdict: str
    difference: str
    toolbox_calls: int
    lines: int
    pictures: int
    files: int
    global_bytes: int
    ignored_bytes: int
    unsure: tuple[str, ...]
    original_seconds: float
    hybrid_seconds: float
    causes: tuple[HybridCause, ...] = ()


@dataclass(frozen=True, slots=True)
class HybridReport:
    """What hybrids have shown.

    Attributes:
        project: the port's file.
        build: the build.
        verdict: the worst verdict of the scripts; "inconclusive" if no new function has run.
        functions: the functions that were to be new.
        scripts: the scripts.
        remarks: what a user has to know of new functions, a sentence each.
    """

    project: str
    build: str
    verdict: str
    functions: tuple[HybridFunction, ...]
    scripts: tuple[PlayedScript, ...]
    remarks: tuple[str, ...] = ()


def run_hybrid(
    request: HybridRequest, on_progress: Callable[[str], None] = lambda text: None
) -> HybridReport:
    """Play scripts on the old program and on it with new functions, and compare.

    Args:
        request: what is played.
        on_progress: called with what is done now.

    Raises:
        CaseError, ProgramError: the port or a script is wrong, or a global has no place.
        ToolMissingError, CompileError: the sources are not compiled.
        UsageError: there is no such function, or it has no good verdict.
    """
    project = request.project
    port = build_port(project, request.build)
    functions = chosen_functions(port, request.functions, is_any=request.is_any)
    original = known_functions(project.read_original())
    stage = HybridStage(SessionTerms.of(project), original, port)
    trial = _Trial(stage, [one.name for one in functions], on_progress)
    scripts = tuple(trial.script(script, bisect=request.bisect) for script in request.scripts)
    return HybridReport(
        project.path.name,
        request.build,
        _worst(scripts, bool(trial.entered)),
        tuple(
            HybridFunction(one.name, one.place, one.name in trial.entered, one.name in trial.short)
            for one in functions
        ),
        scripts,
        tuple(trial.remarks),
    )


def chosen_functions(
    port: PortBuild, names: Sequence[str], *, is_any: bool
) -> list[ClaimedFunction]:
    """The functions that are to be new.

    Args:
        port: the port.
        names: names or places of those that are meant; all that may be if there are none.
        is_any: whether those without a good verdict may be.

    Raises:
        UsageError: there is no such function, or it may not be.
    """
    path = port.project.path
    functions = [one for one in claimed(port.claims, names, path) if one.is_defined]
    if is_any:
        return functions
    verdicts = read_verdicts(port.project)
    words = {
        one.name: verdicts[one.place].verdict if one.place in verdicts else "not judged"
        for one in functions
    }
    good = [one for one in functions if words[one.name] in DONE]
    bad = [one.name for one in functions if words[one.name] not in DONE]
    if names and bad:
        also = f" and {len(bad) - _SEVERAL} more" if len(bad) > _SEVERAL else ""
        shown = ", ".join(f"{name} ({words[name]})" for name in bad[:_SEVERAL])
        raise UsageError(
            f"{path}: not verified: {shown}{also}; macproof port verify judges them, and --all "
            "takes them as they are"
        )
    if not good:
        raise UsageError(
            f"{path}: no function is verified; macproof port verify judges them, and --all takes "
            "them as they are"
        )
    return good


def _worst(scripts: Sequence[PlayedScript], has_run: bool) -> str:
    words = {one.verdict for one in scripts}
    if REFUTED in words:
        return REFUTED
    return INCONCLUSIVE if INCONCLUSIVE in words or not has_run or not words else VERIFIED


class _Trial:
    """Plays scripts with a set of functions.

    Attributes:
        entered: the new functions that have run.
        short: those that are too short.
        remarks: sentences about new functions.
    """

    def __init__(
        self, stage: HybridStage, names: Sequence[str], on_progress: Callable[[str], None]
    ) -> None:
        self._stage, self._names, self._on_progress = stage, names, on_progress
        self.entered: set[str] = set()
        self.short: set[str] = set()
        self.remarks: dict[str, None] = {}

    def script(self, script: Path, *, bisect: bool) -> PlayedScript:
        """Play a script on the old program and on the hybrid."""
        self._on_progress(f"{script.name}: the original, twice")
        original = play_original(self._stage, script)
        name = self._name(script)
        if not original.is_whole:
            text = f"the original itself: {original.end or 'it ends before the script is done'}"
            return _played(name, INCONCLUSIVE, text, original)
        again, found = self._hybrid(script, (), original)
        original = replace(original, seconds=again.played.seconds)  # the first run warms up
        if found.text:
            text = f"the original does not repeat itself: {found.text}"
            return _played(name, INCONCLUSIVE, text, original)
        self._on_progress(f"{script.name}: with {len(self._names)} new functions")
        run, found = self._hybrid(script, self._names, original)
        self.entered |= run.placement.entered()
        self.short |= set(run.placement.too_short)
        self.remarks |= dict.fromkeys(
            remark for graft in run.placement.grafts for remark in graft.remarks
        )
        causes = self._causes(script, original, found.text) if bisect and found.text else ()
        verdict = REFUTED if found.text else VERIFIED
        return _played(name, verdict, found.text, original, run.played, found, causes)

    def _name(self, script: Path) -> str:
        folder, path = self._stage.port.project.folder, script.resolve()
        return str(path.relative_to(folder) if path.is_relative_to(folder) else script)

    def _hybrid(
        self, script: Path, names: Sequence[str], original: HybridPlay
    ) -> tuple[HybridRun, RunDifference]:
        run = play_hybrid(self._stage, script, names, original)
        return run, compare_with_original(original, run, self._stage.port)

    def _causes(self, script: Path, original: HybridPlay, text: str) -> tuple[HybridCause, ...]:
        """The functions that cause differences, one after the other, until none is left."""
        known = {frozenset(self._names): text}

        def difference(names: Sequence[str]) -> str:
            key = frozenset(names)
            if key not in known:
                self._on_progress(f"{script.name}: with {len(names)} of them")
                known[key] = self._hybrid(script, names, original)[1].text
            return known[key]

        causes: list[HybridCause] = []
        left = list(self._names)
        while left and len(causes) < _MOST_CAUSES and difference(left):
            found = smallest_cause(left, lambda names: bool(difference(names)))
            causes.append(HybridCause(found, difference(found)))
            left = [name for name in left if name not in found]
        return tuple(causes)


def _played(
    script: str,
    verdict: str,
    difference: str,
    original: HybridPlay,
    hybrid: HybridPlay | None = None,
    found: RunDifference | None = None,
    causes: tuple[HybridCause, ...] = (),
) -> PlayedScript:
    return PlayedScript(
        script,
        verdict,
        difference,
        len(original.calls),
        len(original.text.splitlines()),
        len(original.pictures),
        len(original.files),
        sum(len(one.content) for one in original.globals),
        found.ignored if found is not None else 0,
        found.unsure if found is not None else (),
        original.seconds,
        hybrid.seconds if hybrid is not None else 0.0,
        causes,
    )
