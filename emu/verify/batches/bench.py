"""A case on one program, with the four stages of the road that a scene takes there.

1. `Bench.before`: scenes and preparations -> `SceneImages`, memory before the calls.
2. `Bench.expect`: these and answers -> `ExpectedImages`, which add memory as it should become.
3. `Bench.run`: the images -> `Batch`, memory as the calls left it.
4. `Bench.differences`: `Differences`, which compares the expected images with those of the batch.

No stage asks an earlier one again, and none keeps anything of one batch for the next.

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
from emu.verify.images.shared_images import SharedImages
from emu.verify.images.slot_values import SlotValues
from emu.verify.places.bound_case import BoundCase
from emu.verify.scenes.fills import Preparation


@dataclass(frozen=True, slots=True, eq=False)
class Stages:
    """The stages for one layout of a case's arguments, in the order in which scenes pass them.

    Each layout has its own, since a stage looks up once where each value lies.

    Attributes:
        before: lays scenes into images.
        answers: lays answers into images.
        calls: makes the calls.
        differences: compares what they left.
        watch: makes notes about the answers.
    """

    before: BeforeImages
    answers: AnswerImages
    calls: SceneCalls
    differences: Differences
    watch: AnswerWatch

    @classmethod
    def of(cls, bound: BoundCase) -> Stages:
        """Make the stages for a case on a program, in the layout of ``bound``."""
        values, linked = SlotValues(bound), LinkedValues(bound)
        effects = PortEffects(bound.slots.implied, values)
        asking = AskingCalls(bound, linked)
        settled = SettledCalls(bound, asking, linked)
        shared = SharedImages(bound)
        answers = AnswerImages(bound, values, linked, effects, shared)
        calls = SceneCalls(bound, settled)
        return cls(
            BeforeImages(bound, settled, values, linked, answers, shared),
            answers,
            calls,
            Differences(bound, asking.unchanged, calls.log.memory),
            AnswerWatch(bound, effects),
        )


class Bench:
    """A case on one program, ready to be run.

    It has one layout of the arguments or two. In the second, buffers of bytes begin one byte
    further on, at odd addresses (see `is_odd`); both are on the same machine, so a call costs no
    more.

    Args:
        bound: the case laid onto the program, with its buffers at even addresses.

    Attributes:
        bound: as above.
        usual: the stages for that layout, which is the only one of a case without byte buffers.
        code: the code that its calls reach.

    Raises:
        CaseError, ProgramError: the case does not fit the program.
    """

    def __init__(self, bound: BoundCase) -> None:
        self.bound = bound
        self.code = ReachedCode(bound.machine.calls.new_code)
        self.usual = Stages.of(bound)

    @classmethod
    def lay(cls, case: Case, machine: Machine) -> Bench:
        """A case on a machine that the caller has; see `BoundCase.lay`."""
        return cls(BoundCase.lay(case, machine))

    @classmethod
    def of(
        cls,
        case: Case,
        subject: Subject,
        *,
        covers: bool = False,
        checked: bool = False,
        screened: bool = False,
        translated: bool = False,
    ) -> Bench:
        """A case on a program, on a machine of its own; see `BoundCase.of`."""
        return cls(
            BoundCase.of(
                case,
                subject,
                covers=covers,
                checked=checked,
                screened=screened,
                translated=translated,
            )
        )

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
        """The case in the layout that a call with this preparation has."""
        return self._odd_bound if self._is_odd(preparation) else self.bound

    def _is_odd(self, preparation: Preparation) -> bool:
        """Whether a call with this preparation has the second layout."""
        return preparation.is_odd and bool(self.bound.layout.byte_buffers)

    def stages(self, images: SceneImages) -> Stages:
        """The stages for the layout that these images have."""
        return self._odd if images.bound.is_odd else self.usual

    def alike(self, preparations: Sequence[Preparation]) -> list[list[int]]:
        """Group calls by layout: the indices of those that can be laid and made together.

        For seeds 1 to 6 of a case with byte buffers that is [[0, 1, 3, 4], [2, 5]]: the usual
        layout comes first, then the odd one. A case without byte buffers has one group.
        """
        if not self.bound.layout.byte_buffers:
            return [[*range(len(preparations))]] if preparations else []
        rows: dict[bool, list[int]] = {}
        for row, preparation in enumerate(preparations):
            rows.setdefault(self._is_odd(preparation), []).append(row)
        return [rows[is_odd] for is_odd in sorted(rows)]

    def before(
        self, scenes: Sequence[Any], preparations: Sequence[Preparation] | None = None
    ) -> SceneImages:
        """Stage 1: lay scenes into images; see `BeforeImages.make`.

        Raises:
            ValueError: the scenes have more than one layout; see `alike`.
            CaseError, PrecedingCallError: as of `BeforeImages.make`.
        """
        layouts = self.alike(preparations or ())
        if len(layouts) > 1:
            raise ValueError("these scenes have two layouts, so they cannot be laid together")
        stages = self._odd if preparations and self._is_odd(preparations[0]) else self.usual
        return stages.before.make(scenes, preparations)

    def expect(self, images: SceneImages, answers: Sequence[Any]) -> ExpectedImages:
        """Stage 2: lay answers beside the images; see `AnswerImages.expect`."""
        return self.stages(images).answers.expect(images, answers)

    def run(self, images: SceneImages) -> Batch:
        """Stage 3: make the calls; see `SceneCalls.run`."""
        return self.stages(images).calls.run(images)

    def differences(self, images: SceneImages) -> Differences:
        """Stage 4: the comparison for the layout that these images have."""
        return self.stages(images).differences.with_effects(images.effects)

    def count(self, images: SceneImages) -> Counts:
        """Count what calls execute; see `SceneCalls.count`."""
        return self.stages(images).calls.count(images)

    def rerun(self, images: SceneImages, row: int) -> Rerun | None:
        """Make a call again, with the complement of every byte that was filled.

        A byte that is equal after both calls was written by the routine, and one that is not was
        left as it was, or depends on what nobody promised. So a message can say "unset".

        Args:
            images: what the calls began with.
            row: the index of the call.

        Returns:
            The images of both calls; None if the second does not return.
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
        """Whether the program was compiled with sanitizers, which note what they find."""
        return bool(self.usual.calls.log.memory)
