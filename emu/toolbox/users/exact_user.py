"""The user who repeats the exact inputs of a recorded script, and looks when its steps do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emu.toolbox.users.checkpoints import ReplayProof, SessionComparison
from emu.toolbox.users.events_file import Recording
from emu.toolbox.users.inputs import RecordedUser
from emu.toolbox.users.onlooker import OBSERVATIONS, Onlooker
from emu.toolbox.users.script import RecordedSession, Script, ScriptError, action_of

if TYPE_CHECKING:
    from emu.toolbox.macintosh import Macintosh


class ExactUser:
    """Repeats inputs at the looks at which they came; the steps say what is looked at, and files.

    Args:
        mac: the Macintosh.
        script: the script whose inputs they are.
        recorded: what it says of them.
        recording: the inputs, and what the session had done.
    """

    def __init__(
        self,
        mac: Macintosh,
        script: Script,
        recorded: RecordedSession,
        recording: Recording,
    ) -> None:
        self._mac = mac
        self._script = script
        self._recorded = recorded
        self._inputs = RecordedUser(mac, recording.inputs)
        checkpoints = recording.checkpoints
        self._comparison = SessionComparison(mac, checkpoints) if checkpoints else None
        self._onlooker = Onlooker(mac, script)
        self._files = [step["file"] for step in script.steps if "file" in step]
        self._next = 0
        self._awaited: list[int] = []

    @property
    def steps_done(self) -> int:
        """How many steps have begun, without those from the first text on that has not come."""
        return min(self._awaited, default=self._next)

    @property
    def steps_begun(self) -> int:
        """How many steps have begun."""
        return self._next

    def words(self, number: int) -> str:
        """A step as a line of YAML; counted from 0."""
        return self._script.words(number)

    @property
    def total(self) -> int:
        """How many there are."""
        return len(self._script.steps)

    @property
    def finished(self) -> bool:
        """Whether nothing is left to do."""
        return self._inputs.finished and self._next == self.total and not self._awaited

    @property
    def proof(self) -> ReplayProof | None:
        """How much of the session was compared, or None if its recording has no checkpoints."""
        return None if self._comparison is None else self._comparison.proof

    def act(self) -> bool:
        """Do what came at this look; whether more is to come.

        Raises:
            ScriptError: a text has not come, a picture differs, or the program has not done what it
                did when it was recorded.
        """
        look, calls = self._inputs.looks + 1, self._mac.calls.total()
        self._compare(look)
        self._awaited = [step for step in self._awaited if not self._onlooker.observe(step)]
        while self._next < self.total and self._recorded.looks[self._next] <= look:
            self._next += 1  # before it: the last step may end the run
            self._begin_step(self._next - 1)
        was_finished = self._inputs.finished
        self._inputs.act()
        if self._inputs.finished and not was_finished and calls != self._recorded.calls:
            raise self._other_run(
                f"{calls:,} Toolbox calls before the last input, and {self._recorded.calls:,} then"
            )
        return not self.finished

    def end(self) -> None:
        """Compare what the program has done by its own end.

        Raises:
            ScriptError: it is not what it did when it was recorded.
        """
        if self._comparison is not None and not self._comparison.end(self._inputs.looks + 1):
            raise self._other_run(self._comparison.difference)

    def _compare(self, look: int) -> None:
        if self._comparison is not None and not self._comparison.compare(look):
            raise self._other_run(self._comparison.difference)

    def _other_run(self, why: str) -> ScriptError:
        return ScriptError(
            f"{self._script.path}: the run is not the one that was recorded: {why}. What is on the "
            "disk may differ, or macproof. Without its key recorded, the script is done by its "
            "steps"
        )

    def _begin_step(self, number: int) -> None:
        step = self._script.steps[number]
        if "end" in step:
            self._require_texts()
        if action_of(step) in OBSERVATIONS and not self._onlooker.observe(number):
            self._awaited.append(number)  # a person may expect a text before it is there

    def _require_texts(self) -> None:
        for number in self._awaited:
            text = self._script.steps[number]["wait"]["text"]
            raise self._script.step_error(number, f"the text {text!r} has not come")

    def end_of_time(self, problem: str) -> str:
        """Why a run had no more time: nothing can be said that the problem does not."""
        return problem

    def take_file(self) -> str | None:
        """The answer to a file dialog: that of the next step with one; None cancels it."""
        return self._files.pop(0) if self._files else None
