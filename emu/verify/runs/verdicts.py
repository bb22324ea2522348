"""The end of the road: the results of programs on scenes, and the verdicts that follow from them.

Each chunk of scenes gives a `Result` for each program. Results of one program are added with ``+``;
`Result.verdict` is that of the sum.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Annotated, Any

from emu.cases.programs.subject import Subject
from emu.checks.defects import Defect
from emu.checks.isa_model import REFUTES, UNDECIDED, InstructionFinding
from emu.checks.memory import AlignmentCheck, MemoryChecks, Mistake
from emu.machine.code_coverage.executed_edges import Edge
from emu.report.limits import FLAT, Natural
from emu.verify.batches.differences import Divergence
from emu.verify.calls.reached_code import Reached
from emu.verify.images.answer_notes import NO_NOTES, AnswerNotes
from emu.verify.scenes.fills import Fill
from emu.verify.scenes.scene_spec import SceneSpec

VERIFIED, REFUTED, INCONCLUSIVE = "verified", "refuted", "inconclusive"
_REASONS_KEPT = 3
FAILURES_KEPT = 10
"""The number of failures of a program that a result keeps."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A scene on which a program failed.

    Attributes:
        spec: the scene, and the fill of memory.
        divergence: the first wrong value; None if no value is wrong.
        violations: the rules of the call contract that were broken, a clause each.
        fault: why the call did not return, perhaps in several lines; "" if it did.
        elsewhere: what the same call does on Unicorn, as a clause; "" if it failed on Unicorn.
        layout: what was unusual about where arguments lay: "*s began at an odd address"; or "".
    """

    spec: SceneSpec
    divergence: Divergence | None = None
    violations: tuple[str, ...] = ()
    fault: str = ""
    elsewhere: str = ""
    layout: str = ""

    def __str__(self) -> str:
        first = [str(self.divergence)] if self.divergence else []
        clauses = (*first, *self.violations, self.layout, self.elsewhere, self.fault)
        return "; ".join(filter(None, clauses))


@dataclass(frozen=True, slots=True)
class SeenDefect:
    """A defect of the program, and the first scene that showed it.

    Attributes:
        defect: what a sanitizer has found.
        spec: the scene.
    """

    defect: Annotated[Defect, FLAT]
    spec: Annotated[SceneSpec, FLAT]

    def __str__(self) -> str:
        return f"{self.defect} ({self.spec})"


@dataclass(frozen=True, slots=True)
class ToolboxNote:
    """Something that calls have changed in the Toolbox, and that is not compared.

    Attributes:
        kind: the part of the Toolbox: "heap", "port", "random", "pixels"; or "answers", if it is
            about routines that scenes answer.
        what: what was left: "a block that NewHandle made, and that nothing leads to".
        calls: on how many calls, or scenes of several calls, it was seen.
        spec: the first of these scenes.
    """

    kind: str
    what: str
    calls: Natural
    spec: Annotated[SceneSpec, FLAT]


@dataclass(frozen=True, slots=True)
class CountedCall:
    """The number of instructions of one call.

    Attributes:
        count: guest instructions executed.
        blocks: translation blocks of the engine executed.
        spec: the scene of that call.
    """

    count: Natural
    blocks: Natural
    spec: Annotated[SceneSpec, FLAT]


@dataclass(frozen=True, slots=True, kw_only=True)
class CallCounts:
    """Numbers about the calls of a program, which add up over scenes.

    Attributes:
        scenes: the number of scenes of calls that returned. One with several fills counts once.
        changed_scenes: the number of these scenes on which a call changed any data memory.
        comparisons: the number of values compared: outputs with the reference's answer, and inputs
            with what they were before the call.
        bytes_compared: the number of bytes of data memory compared.
        diverged: the number of scenes after which data memory was wrong.
        violated: the number of scenes on which the call contract was broken.
        not_kept: the number of calls with a KEPT fill that began as loaded instead, since their
            earlier calls ask the Toolbox, or the engine does not execute them.
        odd: the number of calls before which buffers of bytes began at odd addresses.
        translated: the number of calls, or scenes of several calls, that were made in translated
            code.
        untranslated: the number of those that Unicorn has made since translated code could not.
    """

    scenes: Natural = 0
    changed_scenes: Natural = 0
    comparisons: Natural = 0
    bytes_compared: Natural = 0
    diverged: Natural = 0
    violated: Natural = 0
    not_kept: Natural = 0
    odd: Natural = 0
    translated: Natural = 0
    untranslated: Natural = 0

    @property
    def counts(self) -> dict[str, Any]:
        """These numbers by their names, to make another `CallCounts` of them."""
        return {field.name: getattr(self, field.name) for field in fields(CallCounts)}


def joined_notes(notes: Iterable[ToolboxNote]) -> tuple[ToolboxNote, ...]:
    """Each note once, with the number of all its calls and the first of its scenes."""
    found: dict[tuple[str, str], ToolboxNote] = {}
    for note in notes:
        key = note.kind, note.what
        toolbox_note = found.get(key)
        found[key] = (
            note
            if toolbox_note is None
            else replace(toolbox_note, calls=toolbox_note.calls + note.calls)
        )
    return tuple(found.values())


def first_reasons(reasons: Iterable[str]) -> tuple[str, ...]:
    """The first few reasons, each once."""
    return tuple(dict.fromkeys(reasons))[:_REASONS_KEPT]


def first_seen(seen: Iterable[SeenDefect]) -> tuple[SeenDefect, ...]:
    """Each defect once, with the first of its scenes; in their order."""
    first: dict[tuple[str, ...], SeenDefect] = {}
    for seen_defect in seen:
        first.setdefault(seen_defect.defect.key, seen_defect)
    return tuple(first.values())


@dataclass(frozen=True, slots=True)
class Result(CallCounts):
    """The result of one program on some scenes.

    Attributes:
        subject: the program.
        abi: the name of the calling convention.
        engine: the name and version of the engine; "" if it never ran.
        calls: the numbers of calls that returned, one for each `Fill`, in its order.
        inputs: the digests of the scenes' input in guest memory; equal inputs have one digest.
        padding: the number of bytes between and behind the members of the program's structures;
            they are not compared.
        agreed: the number of scenes about which both reference and bulk reference were asked; they
            gave the same answers. 0 if the case has no bulk reference.
        widened: the number of scenes about which the bulk reference was asked with whole numbers
            of 64 bits, too.
        failures: the first failures, in the order of the scenes.
        fault: why the first call that did not return did not; "" if all did.
        crash: why the program was stopped although no call is known to be wrong; "" if it was not.
            The engine crashed, or the budget of blocks is too small.
        memory: what full checks of memory found; None if they were not made.
        alignment: what was seen of odd addresses without full checks; None if nobody looked.
        isa: findings about executed instructions that the processor, or another of its family,
            does not have, by address.
        defects: what the program's sanitizers have found, each once.
        asked: the number of calls, or scenes of several calls, that asked the Toolbox.
        notes: what these calls changed in the Toolbox, as far as it is not compared.
        instructions: the instructions of one call; None if they were not counted.
        edges: how often these calls went from one block of code to another; None if not recorded.
        before_writes: the names of what the routines called before have changed.
        reached: the blocks of code that were executed, also by routines that are called before, as
            `emu.verify.calls.reached_code.Reached`; a part of a run may leave out those that parts
            before it in the same process have told of. None if the engine does not tell.
        read: the files that the case's Python has read, each with its digest.
        answers: for each call that returned, how what it left differs from what the reference says,
            as a clause: "gObjects[3].x is 7"; "" if it does not.
        notes_of_answers: what is known of the reference's answers.
        reasons: why calls were left to Unicorn, the first few.
    """

    subject: Subject
    abi: str = ""
    engine: str = ""
    calls: tuple[int, ...] = (0,) * len(Fill)
    inputs: frozenset[bytes] = frozenset()
    padding: int = 0
    agreed: int = 0
    widened: int = 0
    failures: tuple[Failure, ...] = ()
    fault: str = ""
    crash: str = ""
    isa: tuple[InstructionFinding, ...] = ()
    defects: tuple[SeenDefect, ...] = ()
    memory: MemoryChecks | None = None
    alignment: AlignmentCheck | None = None
    asked: int = 0
    notes: tuple[ToolboxNote, ...] = ()
    instructions: CountedCall | None = None
    edges: Mapping[Edge, int] | None = None
    before_writes: tuple[str, ...] = ()
    reached: Reached | None = None
    read: tuple[tuple[str, str], ...] = ()
    answers: tuple[tuple[SceneSpec, str], ...] = ()
    notes_of_answers: AnswerNotes = NO_NOTES
    reasons: tuple[str, ...] = ()

    @property
    def mistakes(self) -> frozenset[Mistake]:
        """The mistakes with memory, also those that do not refute."""
        checks = [check for check in (self.memory, self.alignment) if check is not None]
        return frozenset(one.mistake for check in checks for one in check.violations)

    @property
    def verdict(self) -> str:
        """The verdict: "verified", "refuted" or "inconclusive".

        It is verified if values were compared, a call changed memory, and nothing failed.

        A routine that returns from some scenes and not from others is refuted, because the call
        contract says that it returns. A routine that never returns is inconclusive: perhaps it was
        called in the wrong way. A crash of the engine is inconclusive too. An instruction in one of
        its routines that the processor lacks refutes it, and so does a defect, whatever else is
        known; an instruction elsewhere counts like a call that does not return.
        """
        mistaken = self.defects or any(
            check.refuting for check in (self.memory, self.alignment) if check is not None
        )
        lacks = any(
            finding.weight == REFUTES and (self.scenes or finding.is_in_routine)
            for finding in self.isa
        )
        if mistaken or lacks or self.diverged or self.violated or (self.fault and self.scenes):
            return REFUTED
        return INCONCLUSIVE if self.undecided else VERIFIED

    @property
    def undecided(self) -> str:
        """Why the verdict is not "verified" although no value was wrong; "" if it is."""
        if self.fault or self.crash:
            return self.fault or self.crash
        for finding in self.isa:
            if finding.weight in (REFUTES, UNDECIDED):
                return str(finding)
        if not self.comparisons:
            return "nothing was compared"
        if not self.changed_scenes:
            return (
                f"it changed no data memory in any of the {self.scenes:,} scenes, and a routine "
                "that does nothing would have the same result"
            )
        return self.notes_of_answers.undecided

    def __add__(self, other: Result) -> Result:
        failures = (*self.failures, *other.failures)[:FAILURES_KEPT]
        sums = {name: count + other.counts[name] for name, count in self.counts.items()}
        return replace(
            self,
            **sums,
            abi=self.abi or other.abi,
            engine=max(self.engine, other.engine),  # the one that also names translated code
            calls=tuple(call + more for call, more in zip(self.calls, other.calls, strict=True)),
            inputs=self.inputs | other.inputs,
            padding=self.padding or other.padding,
            agreed=self.agreed + other.agreed,
            widened=self.widened + other.widened,
            failures=failures,
            fault=self.fault or other.fault,
            crash=self.crash or other.crash,
            isa=tuple(sorted({*self.isa, *other.isa})),
            defects=first_seen((*self.defects, *other.defects)),
            memory=self.memory + other.memory
            if self.memory is not None and other.memory is not None
            else self.memory or other.memory,
            alignment=self.alignment + other.alignment
            if self.alignment is not None and other.alignment is not None
            else self.alignment or other.alignment,
            asked=self.asked + other.asked,
            notes=joined_notes((*self.notes, *other.notes)),
            instructions=self.instructions or other.instructions,
            edges=_both(self.edges, other.edges),
            before_writes=tuple(dict.fromkeys((*self.before_writes, *other.before_writes))),
            reached=self.reached
            if other.reached is None
            else tuple(sorted({*(self.reached or ()), *other.reached})),
            read=tuple(sorted({*self.read, *other.read})),
            answers=(*self.answers, *other.answers),
            notes_of_answers=self.notes_of_answers + other.notes_of_answers,
            reasons=first_reasons((*self.reasons, *other.reasons)),
        )


def _both(
    first: Mapping[Edge, int] | None, other: Mapping[Edge, int] | None
) -> Mapping[Edge, int] | None:
    if first is None or other is None:
        return first if other is None else other
    total = dict(first)
    for edge, count in other.items():
        total[edge] = total.get(edge, 0) + count
    return total


def worst(verdicts: Iterable[str]) -> str:
    """The worst of some verdicts: refuted before inconclusive before verified.

    The worst of no verdicts is "inconclusive".
    """
    present = set(verdicts) or {INCONCLUSIVE}
    return next(verdict for verdict in (REFUTED, INCONCLUSIVE, VERIFIED) if verdict in present)


def verdict_of(results: Sequence[Result]) -> str:
    """The worst verdict of some results."""
    return worst(result.verdict for result in results)
