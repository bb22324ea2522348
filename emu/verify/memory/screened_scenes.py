"""Full checks of memory by translated code; Unicorn's hooks prove what it says.

Translated code looks at all calls. What it says of undefined bits stands. A call in which it sees
another mistake is made once more on Unicorn with hooks, and what they see is told. So is one that
does not return, and those of the calls that it cannot make which the caller wants to be; the others
are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from emu.cases.programs.subject import UNICORN, Subject
from emu.checks.memory import (
    Judge,
    LeftCalls,
    MemoryChecks,
    Mistake,
    Violation,
    left_together,
    once,
)
from emu.checks.objects import Objects
from emu.machine import Batch
from emu.machine.calls.call_screen import CallScreen
from emu.machine.engine.watch.accesses import Access, AccessKind
from emu.verify.batches.bench import Bench
from emu.verify.batches.benches import bench_for
from emu.verify.images.scene_images import SceneImages
from emu.verify.memory.memory_checks import (
    SceneChecks,
    arguments_of,
    mark,
    stack_limit,
    undefined_bytes,
    with_callers,
)
from emu.verify.scenes.scene_spec import SceneSpec

# A call that did not return will not do so under hooks either: they are let see its first million
# accesses, and not the ten seconds that a call is given which takes 40 times as long with them.
_HURRY = 8


@dataclass(frozen=True, slots=True)
class HookPlan:
    """What Unicorn's hooks look at after a screen.

    Attributes:
        looks: whether they look at a call that the screen cannot make, by its scene; they make it
            take 13 to 28 times as long.
        known: mistakes that earlier scenes have shown; they are left out.
    """

    looks: Callable[[SceneSpec], bool] = lambda spec: True
    known: Collection[Mistake] = ()


EVERY_CALL = HookPlan()
"""Hooks look at all that the screen cannot make, and at every mistake."""


class ScreenedScenes:
    """Makes the calls of scenes and has a screen look at them.

    Args:
        subject: the program.
        bench: the case on it; its machine has a screen.
        images: what the calls begin with.
        specs: the name of the scene of each call.
        plan: what hooks look at.

    Attributes:
        denied: what the screen has seen and Unicorn's hooks have not, known after `judge`.
    """

    def __init__(
        self,
        subject: Subject,
        bench: Bench,
        images: SceneImages,
        specs: Sequence[SceneSpec],
        plan: HookPlan = EVERY_CALL,
    ) -> None:
        assert bench.machine.calls.screen is not None
        self._subject = subject
        self._bench = bench
        self._images = images
        self._specs = specs
        self._plan = plan
        self._screen: CallScreen = bench.machine.calls.screen
        self.denied: tuple[Access, ...] = ()

    def run(self) -> Batch:
        """Make the calls, and return the batch of `Bench.run`."""
        screen, bound = self._screen, self._images.bound
        if screen.layout is not bound:
            mark(bound, screen)
        screen.undefined = undefined_bytes(self._bench, self._images)
        screen.compared = self._bench.differences(self._images).compared
        screen.clear()
        screen.is_looking = True
        try:
            return self._bench.run(self._images)
        finally:
            screen.is_looking = False
            screen.undefined = None

    def judge(self, batch: Batch) -> MemoryChecks:
        """Find what the calls did wrong in memory.

        Args:
            batch: the batch that `run` has returned.
        """
        screen, bound = self._screen, self._images.bound
        machine = bound.machine
        objects = Objects(machine.program, arguments_of(bound))
        judge = Judge(machine.program, machine.cpu, machine.memory, objects)
        noted = judge.new(screen.noted(), self._plan.known)
        undefined = [access for access in noted if access.kind is AccessKind.READ_UNDEFINED]
        others = [access for access in noted if access.kind is not AccessKind.READ_UNDEFINED]
        ended = range(batch.completed)  # what did not return may well be a mistake with memory
        rows = {r for r in screen.left if r not in ended or self._plan.looks(self._specs[r])}
        rows |= {access.call for access in others}
        proved = self._proved(sorted(rows), hurries=batch.completed < len(self._specs))
        seen = {(violation.address, violation.kind.value) for violation in proved.violations}
        self.denied = tuple(
            access
            for access, violation in judge.violations(others)
            if (violation.address, violation.kind.value) not in seen
        )
        violations = [
            with_callers(bound, self._images, self._in_scene(access, violation), access)
            for access, violation in judge.violations(undefined)
        ]
        limit = stack_limit(bound)
        if screen.deepest > limit:
            routine = bound.calls.first.routine
            violations.append(judge.deep_stack(routine, screen.deepest, limit))
        own = once(violations, bound.case.suppressed)
        left = self._left_calls(row for row in screen.left if row not in rows)
        return proved + MemoryChecks(own, screen.deepest, not screen.is_full, left=left)

    def _left_calls(self, rows: Iterable[int]) -> tuple[LeftCalls, ...]:
        """The calls that neither the screen nor hooks have looked at."""
        return left_together(LeftCalls(1, self._screen.left[row]) for row in rows)

    def _in_scene(self, access: Access, violation: Violation) -> Violation:
        return replace(violation, scene=str(self._specs[access.call]))

    def _proved(self, rows: Sequence[int], hurries: bool) -> MemoryChecks:
        """What Unicorn's hooks see in some calls, of which one may not return."""
        if not rows:
            return MemoryChecks((), 0)
        given = self._bench.machine.budget
        budget = replace(given, patience=given.patience / _HURRY) if hurries else given
        images = self._images.take(rows)
        subject = replace(self._subject, engine=UNICORN, native=None)
        bench = bench_for(self._bench.case, subject, checked=True)
        usual, bench.machine.budget = bench.machine.budget, budget
        try:
            again = bench.before(images.scenes, images.preparations)
            specs = [self._specs[row] for row in rows]
            checks = SceneChecks(bench, again, specs, known=self._plan.known)
            memory = checks.judge(checks.run())
        finally:
            bench.machine.budget = usual
        assert memory is not None
        return memory
