"""A case on one program, with the stages that its scenes go through there.

A scene goes one way: `Bench.before` lays it into memory, `Bench.expect` lays the reference's
answer beside it, `Bench.run` makes the calls, and `Bench.differences` compares. Between two
stages there is one value, `SceneImages`, and no stage asks an earlier one again.

Example:
    images = bench.before(scenes, preparations)
    images = bench.expect(images, answers)
    batch = bench.run(images)
    wrong = bench.differences(images).rows(images.expected[: batch.completed], batch.after)
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from emu.cases.case import Case
from emu.cases.programs.subject import Subject
from emu.cycles.base.counting import Counts
from emu.machine import Batch, Cpu
from emu.program import Program
from emu.toolbox.single_calls.toolbox_machine import Machine
from emu.verify.batches.answer_watch import AnswerWatch
from emu.verify.batches.differences import Differences, Rerun
from emu.verify.batches.scene_calls import SceneCalls
from emu.verify.calls.preceding_calls import PrecedingCallError
from emu.verify.calls.reached_code import ReachedCode
from emu.verify.images.answer_images import AnswerImages
from emu.verify.images.asking_calls import AskingCalls
from emu.verify.images.before_images import BeforeImages
from emu.verify.images.linked_values import LinkedValues
from emu.verify.images.port_effects import PortEffects
from emu.verify.images.scene_images import ExpectedImages, SceneImages
from emu.verify.images.settled_calls import SettledCalls
from emu.verify.images.slot_values import SlotValues
from emu.verify.places.bound_case import BoundCase
from emu.verify.scenes.fills import Preparation


@dataclass(frozen=True, slots=True, eq=False)
class Stages:
    """The stages of one layout of a case's arguments, in the order in which scenes pass them.

    Attributes:
        before: lays scenes into images.
        answers: lays answers into images.
        calls: makes the calls.
        differences: compares what they left.
        watch: says what the answers are worth.
    """

    before: BeforeImages
    answers: AnswerImages
    calls: SceneCalls
    differences: Differences
    watch: AnswerWatch

    @classmethod
    def of(cls, bound: BoundCase) -> Stages:
        """The stages of a case on a program."""
        values, linked = SlotValues(bound), LinkedValues(bound)
        effects = PortEffects(bound.slots.implied, values)
        asking = AskingCalls(bound, linked)
        settled = SettledCalls(bound, asking, linked)
        answers = AnswerImages(bound, values, linked, effects)
        calls = SceneCalls(bound, settled)
        return cls(
            BeforeImages(bound, settled, values, linked, answers),
            answers,
            calls,
            Differences(bound, asking.unchanged, calls.log.memory),
            AnswerWatch(bound, effects),
        )


class Bench:
    """A case on one program, ready to be run.

    Args:
        bound: the case laid onto the program, with its buffers in the usual places.

    Attributes:
        bound: that.
        usual: the stages of that layout, which most cases have alone.
        code: which code its calls reach.

    Raises:
        CaseError, ProgramError: the case does not fit the program.
    """

    def __init__(self, bound: BoundCase) -> None:
        self.bound = bound
        self.code = ReachedCode(bound.machine.new_code)
        self.usual = Stages.of(bound)

    @classmethod
    def lay(cls, case: Case, machine: Machine) -> Bench:
        """A case on a machine that is there already; see `BoundCase.lay`."""
        return cls(BoundCase.lay(case, machine))

    @classmethod
    def of(
        cls, case: Case, subject: Subject, *, covers: bool = False, checked: bool = False
    ) -> Bench:
        """A case on a program, on a machine of its own; see `BoundCase.of`."""
        return cls(BoundCase.of(case, subject, covers=covers, checked=checked))

    @classmethod
    def on(cls, case: Case, program: Program, cpu: Cpu) -> Bench:
        """A case on a program that has been read, on a machine of its own; see `BoundCase.on`."""
        return cls(BoundCase.on(case, program, cpu))

    @property
    def case(self) -> Case:
        """The case."""
        return self.bound.case

    @property
    def machine(self) -> Machine:
        """The program on its processor."""
        return self.bound.machine

    @functools.cached_property
    def _odd_bound(self) -> BoundCase:
        return self.bound.odd()

    @functools.cached_property
    def _odd(self) -> Stages:
        return Stages.of(self._odd_bound)

    def bound_for(self, preparation: Preparation) -> BoundCase:
        """The case in the layout of a call that is prepared so."""
        is_odd = preparation.is_odd and bool(self.bound.layout.byte_buffers)
        return self._odd_bound if is_odd else self.bound

    def stages(self, images: SceneImages) -> Stages:
        """The stages that images were laid for."""
        return self._odd if images.bound.is_odd else self.usual

    def alike(self, preparations: Sequence[Preparation]) -> list[list[int]]:
        """Which calls can be made together, by their indices: those with one layout.

        Those with the usual one come first. Only cases with buffers of bytes have another.
        """
        if not self.bound.layout.byte_buffers:
            return [list(range(len(preparations)))]
        rows: dict[bool, list[int]] = {}
        for row, preparation in enumerate(preparations):
            rows.setdefault(preparation.is_odd, []).append(row)
        return [rows[is_odd] for is_odd in sorted(rows)]

    def before(
        self, scenes: Sequence[Any], preparations: Sequence[Preparation] | None = None
    ) -> SceneImages:
        """What calls on scenes begin with; see `BeforeImages.make`.

        Raises:
            ValueError: the scenes need more than one layout; see `alike`.
        """
        stages = self.usual
        if preparations and self.bound.layout.byte_buffers:
            layouts = {preparation.is_odd for preparation in preparations}
            if len(layouts) > 1:
                raise ValueError("these scenes have two layouts, so they cannot be laid together")
            stages = self._odd if True in layouts else self.usual
        return stages.before.make(scenes, preparations)

    def expect(self, images: SceneImages, answers: Sequence[Any]) -> ExpectedImages:
        """What calls should leave; see `AnswerImages.expect`."""
        return self.stages(images).answers.expect(images, answers)

    def run(self, images: SceneImages) -> Batch:
        """Make the calls; see `SceneCalls.run`."""
        return self.stages(images).calls.run(images)

    def differences(self, images: SceneImages) -> Differences:
        """What compares such images."""
        return self.stages(images).differences.with_effects(images.effects)

    def count(self, images: SceneImages) -> Counts:
        """Count what calls execute; see `SceneCalls.count`."""
        return self.stages(images).calls.count(images)

    def rerun(self, images: SceneImages, row: int) -> Rerun | None:
        """A call with the complement of every filled byte; None if it does not come back.

        Args:
            images: what the calls began with.
            row: the index of the call.
        """
        first = images.take([row])
        other = [replace(preparation, inverted=True) for preparation in first.preparations]
        try:
            again = self.stages(images).before.make(first.scenes, other)
        except PrecedingCallError:
            return None
        batch = self.run(again)
        if not batch.completed:
            return None
        return Rerun(first.before[0], again.before[0], batch.after[0])

    @property
    def has_sanitizers(self) -> bool:
        """Whether the program notes what sanitizers find."""
        return bool(self.usual.calls.log.memory)
