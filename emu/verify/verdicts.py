"""What is verified, scene by scene and program by program, and what can come of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from emu.cases.programs import Subject
from emu.checks.isa_model import REFUTES, UNDECIDED, Finding
from emu.verify.differences import Divergence
from emu.verify.fills import Fill

VERIFIED, REFUTED, INCONCLUSIVE = "verified", "refuted", "inconclusive"
FAILURES_KEPT = 10
"""How many failures of a program are told."""


@dataclass(frozen=True, slots=True)
class SceneSpec:
    """What a scene is made from again, and how memory is filled before the call."""

    generator: str
    objects: int
    seed: int
    fill: Fill = Fill.LOADED

    @property
    def scene(self) -> tuple[str, int, int]:
        """What it has in common with other calls on the same scene."""
        return self.generator, self.objects, self.seed

    def __str__(self) -> str:
        plural = "" if self.objects == 1 else "s"
        memory = "" if self.fill is Fill.LOADED else f", memory {self.fill.words}"
        return f"{self.generator}, {self.objects} object{plural}, seed {self.seed}{memory}"


@dataclass(frozen=True, slots=True)
class Failure:
    """A scene on which a subject did not do what it should, and how that shows."""

    spec: SceneSpec
    divergence: Divergence | None = None
    violations: tuple[str, ...] = ()
    fault: str = ""

    def __str__(self) -> str:
        return "; ".join(
            [*([str(self.divergence)] if self.divergence else []), *self.violations, self.fault]
        ).rstrip("; ")


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one subject.

    Attributes:
        calls: how many calls ran to their end, by the fill of memory, in the order of `Fill`.
        scenes: how many scenes they were on; some of them with several fills.
        changed: scenes in which a call changed any data memory at all.
        inputs: digests of what the scenes lay into memory, one for each that differs.
        comparisons: values compared with the reference or with the input they had to keep.
        bytes_compared: bytes of data memory compared.
        padding: bytes of the program's data that are not, since they belong to no member.
        diverged: scenes whose memory was not as expected.
        violated: scenes that broke the contract of a call.
        failures: the first of them, in the order of the scenes.
        fault: the first call that did not come back, or "".
        crash: why nothing more can be said though no call is known to be wrong: the engine went
            down, or the block budget is too small; or "".
        isa: instructions executed that the processor has not, or that others have not, by address.
        instructions: guest instructions of one call, for the scene in ``measured``.
    """

    subject: Subject
    abi: str = ""
    calls: tuple[int, ...] = (0,) * len(Fill)
    scenes: int = 0
    changed: int = 0
    inputs: frozenset[bytes] = frozenset()
    comparisons: int = 0
    bytes_compared: int = 0
    padding: int = 0
    diverged: int = 0
    violated: int = 0
    failures: tuple[Failure, ...] = ()
    fault: str = ""
    crash: str = ""
    isa: tuple[Finding, ...] = ()
    instructions: int = 0
    blocks: int = 0
    measured: SceneSpec | None = None

    @property
    def verdict(self) -> str:
        """Verified needs comparisons, something done, and no failure.

        To come back is part of the contract, so a routine that returns from some scenes and not
        from others is refuted. One that never returned was perhaps never called as it should be:
        that decides nothing, nor does an engine that went down. The same goes for an instruction
        that the processor has not.
        """
        weights = {finding.weight for finding in self.isa}
        wrong = self.fault or REFUTES in weights
        if self.diverged or self.violated or (wrong and self.scenes):
            return REFUTED
        return INCONCLUSIVE if self.undecided else VERIFIED

    @property
    def undecided(self) -> str:
        """Why it is not verified though no failure was seen, or ""."""
        if self.fault or self.crash:
            return self.fault or self.crash
        for finding in self.isa:
            if finding.weight in (REFUTES, UNDECIDED):
                return str(finding)
        if not self.comparisons:
            return "nothing was compared"
        if not self.changed:
            return (
                f"it changed nothing that is observed in any of the {self.scenes:,} scenes, and "
                "nothing done is no evidence"
            )
        return ""

    def __add__(self, other: Result) -> Result:
        failures = (*self.failures, *other.failures)[:FAILURES_KEPT]
        first = self if self.measured else other
        return replace(
            self,
            abi=self.abi or other.abi,
            calls=tuple(one + more for one, more in zip(self.calls, other.calls, strict=True)),
            scenes=self.scenes + other.scenes,
            changed=self.changed + other.changed,
            inputs=self.inputs | other.inputs,
            comparisons=self.comparisons + other.comparisons,
            bytes_compared=self.bytes_compared + other.bytes_compared,
            padding=self.padding or other.padding,
            diverged=self.diverged + other.diverged,
            violated=self.violated + other.violated,
            failures=failures,
            fault=self.fault or other.fault,
            crash=self.crash or other.crash,
            isa=tuple(sorted({*self.isa, *other.isa})),
            instructions=first.instructions,
            blocks=first.blocks,
            measured=first.measured,
        )


def worst(verdicts: Iterable[str]) -> str:
    """One verdict for many: any refutation refutes, anything undecided leaves it undecided.

    Of no verdicts it is inconclusive.
    """
    found = set(verdicts) or {INCONCLUSIVE}
    return next(one for one in (REFUTED, INCONCLUSIVE, VERIFIED) if one in found)


def verdict_of(results: Sequence[Result]) -> str:
    """The worst of the results' verdicts."""
    return worst(result.verdict for result in results)
