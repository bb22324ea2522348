"""Judges the functions of a port: each recorded call is made on the old and on the new function."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from emu.base.errors import MacproofError, UsageError
from emu.cases.skeletons.function_bodies import function_bodies
from emu.cycles.base.model import CycleModel
from emu.port.cycles.call_meter import CallMeter, CallSteps
from emu.port.graft.graft import Graft, GraftedFunction
from emu.port.model import (
    INCONCLUSIVE,
    REFUTED,
    VERIFIED,
    ClaimedFunction,
    FunctionVerdict,
)
from emu.port.original.session import SessionTerms
from emu.port.project.ignore_list import ignored_addresses
from emu.port.project.marks import text_of
from emu.port.recording.store import RecordedCall, RecordingStore
from emu.port.replay.callees import RepeatedCall
from emu.port.replay.comparison import ReplayComparison, ReplayDivergence, ResultPlace
from emu.port.replay.replayer import Replayer, ReplayOutcome, code_limit
from emu.port.verify.build import PortBuild
from emu.port.verify.own_faults import OwnFaults, differs_from
from emu.port.verify.results import result_in_memory, result_of
from emu.port.verify.run_grafts import RunGrafts
from emu.port.verify.run_places import RunPlaces
from emu.port.verify.stores import last_stores
from emu.port.verify.tally import CallTally, RefutedCall
from emu.port.verify.traces import BothTraces, RefutedTracer
from emu.port.verify.words import DifferenceWords, sentence

_MOST_ENDLESS = 3
_EMPTY = 8
"""The most bytes of a function that has nothing to do, such as LINK, UNLK and RTS."""
_IDLE = (
    "none of its calls leaves anything that could be compared: a function that does nothing would "
    "pass; record a run in which it changes something"
)


class PortVerifier:
    """Judges functions of one port by its recordings.

    Args:
        port: the port, compiled.
        store: its recordings.
        terms: the program and how it was run.
        together: whether what new functions call is new, too; else it is old.
        model: prices the calls of both; None if they are not priced.

    Attributes:
        replayer: where calls are made.
        going_by_chance: the functions whose original goes by what nobody wrote.
        idle: the functions whose recorded calls leave nothing that could be compared.
    """

    def __init__(
        self,
        port: PortBuild,
        store: RecordingStore,
        terms: SessionTerms,
        *,
        together: bool = False,
        model: CycleModel | None = None,
    ) -> None:
        self.port, self.store = port, store
        self.replayer = Replayer(terms, store)
        self._meter = None if model is None else CallMeter(self.replayer, model)
        self._runs = store.runs()
        self._grafts = RunGrafts(port, self.replayer, self._runs, self.places, together=together)
        self._results: dict[str, bool] = {}
        self.going_by_chance: set[str] = set()
        self.idle: set[str] = set()
        self.own_faults = OwnFaults(self.replayer, port.claims, self.places)
        self._tracer = RefutedTracer(self.replayer)

    def verdicts(
        self,
        functions: Sequence[ClaimedFunction],
        among: Sequence[ClaimedFunction] = (),
        only: int = 0,
    ) -> Iterator[FunctionVerdict]:
        """Judge functions, one after the other.

        Args:
            functions: the functions.
            among: see `tally`; the functions themselves if there are none.
            only: see `tally`.
        """
        for function in functions:
            yield self.judged(function, self.tally(function, among or functions, only))

    def tally(
        self, function: ClaimedFunction, among: Sequence[ClaimedFunction], only: int = 0
    ) -> CallTally:
        """Make the recorded calls of a function on both.

        Args:
            function: the function.
            among: the functions that are linked with it, so that they are linked once.
            only: the number of the only call that is made, from 1; 0 for all.

        Raises:
            UsageError: there is no such call.
        """
        tally, comparison = CallTally(), None
        calls = list(self.store.calls(function.place))
        if not 0 <= only <= len(calls):
            raise UsageError(
                f"{self.port.project.path}: there is no call {only} of {function.name}; its "
                f"recorded calls are 1 to {len(calls)}"
                if calls
                else f"{self.port.project.path}: no call of {function.name} has been recorded"
            )
        for number, call in enumerate(calls, 1):
            if only not in (0, number):
                continue
            graft = self.graft(call.script, among)
            if graft is None or function.name in self._grafts.unlinked:
                break
            new = graft.functions[function.name]
            if new.old != call.entry:
                tally.skipped["its segment lay elsewhere then"] += 1
                continue
            comparison = comparison or self.comparison(new)
            self._judge(tally, comparison, number, call, new, graft)
            if tally.endless == _MOST_ENDLESS:  # each takes as long as a thousand others
                tally.skipped["the new function does not come back"] = len(calls) - number
                break
        if any(culprit.place == function.place for culprit in tally.culprits):
            self.going_by_chance.add(function.name)
        tally.settle(function.place)
        self._price(tally)
        return tally

    def _price(self, tally: CallTally) -> None:
        """Price the calls that both have made alike."""
        if self._meter is not None:
            try:
                tally.cycles = self._meter.take()
            except MacproofError as error:
                tally.unpriced = str(error).partition("\n")[0]

    def _steps(self) -> CallSteps | None:
        """What the last call executed, if calls are priced."""
        return None if self._meter is None else self._meter.steps()

    def _meet(
        self,
        call: RecordedCall,
        graft: Graft,
        new: GraftedFunction,
        old_steps: CallSteps | None,
        new_steps: CallSteps | None,
    ) -> None:
        """Count a call that both have made alike, if calls are priced."""
        if self._meter is None or old_steps is None or new_steps is None:
            return
        own = range(new.old, new.old + self.own_faults.sizes.get(call.place, 2))
        self._meter.add(old_steps, new_steps, own, graft, len(call.toolbox))

    # -- one call ----------------------------------------------------------------------------------

    def _judge(
        self,
        tally: CallTally,
        comparison: ReplayComparison,
        number: int,
        call: RecordedCall,
        new: GraftedFunction,
        graft: Graft,
    ) -> None:
        junk = number % 2
        old = self.replayer.run(call, new.old, junk=junk)
        old_steps = self._steps()
        other = self.own_faults.with_junk(call, 1 - junk)
        if not old.returned or not other.returned:
            tally.skipped[f"the original does not repeat it: {old.reason or other.reason}"] += 1
            return
        own = comparison.compare(call, old, other)
        unsure = set(own.addresses)
        works = self.own_faults.sizes.get(call.place, _EMPTY + 1) > _EMPTY
        tally.idle += works and not comparison.leaves_anything(call, old)

        def differences(outcome: ReplayOutcome) -> ReplayDivergence:
            found = comparison.compare(call, old, outcome, unsure, new.scratch)
            return replace(found, result=None) if own.result is not None else found

        if own.addresses or own.result is not None:
            self._note_own(tally, call, graft, own)
            if not tally.culprits:
                differs = differs_from(comparison, call, old)
                tally.culprits = self.own_faults.culprits(call, junk, differs)
        most_code = code_limit(old.code)
        outcome = self.replayer.run(call, new.address, junk=junk, most_code=most_code)
        new_steps = self._steps()
        found = differences(outcome)
        tally.compared += 1
        if not found:
            self._meet(call, graft, new, old_steps, new_steps)
        terms = RepeatedCall(call, junk=junk)
        if found and not tally.refuted:
            blame = self.own_faults.blame(call)
            outcome = blame.as_the_original_called(terms, new.address)
            found = differences(outcome)
            if not found:
                tally.excused += 1
                differs = differs_from(comparison, call, old, unsure)
                tally.culprits = tally.culprits or blame.culprits(terms, differs)
        if found:
            self._count(tally, RefutedCall(number, terms, new, graft, old, outcome, found))

    def _count(self, tally: CallTally, refuted: RefutedCall) -> None:
        """Count a call that differs."""
        call, graft, found = refuted.terms.call, refuted.graft, refuted.found
        if self._is_of_constants(call, graft, found):
            place = self.words(call.script, graft).values(found.addresses[:1])[0].name
            tally.own_constants.append((refuted.number, place))
        elif self.own_faults.is_chance(
            refuted.terms,
            refuted.function.address,
            refuted.new,
            self.comparison(refuted.function),
        ):
            tally.doubtful.append(refuted)
        else:
            tally.refute(refuted)

    def _is_of_constants(self, call: RecordedCall, graft: Graft, found: ReplayDivergence) -> bool:
        """Whether all that differs are texts that each function has for itself, and changes."""
        if found != ReplayDivergence(found.addresses):
            return False
        words = self.words(call.script, graft)
        return self.replayer.has_changed_graft and all(map(words.is_unmarked, found.addresses))

    def _note_own(
        self, tally: CallTally, call: RecordedCall, graft: Graft, own: ReplayDivergence
    ) -> None:
        """Note what the original itself leaves differently."""
        if own.addresses:
            values = self.words(call.script, graft).values(own.addresses)
            tally.unsure.update(value.name for value in values)
        if own.result is not None:
            tally.unsure.add("its result")

    def comparison(self, function: GraftedFunction) -> ReplayComparison:
        """What is compared of a function's outcomes."""
        result = result_of(function) if self._has_result(function.name) else ResultPlace()
        return ReplayComparison(self.replayer, result, function.arguments, self._ignored())

    def _has_result(self, name: str) -> bool:
        """Whether the new source of a function returns a value somewhere.

        A function of the time without a type is declared to return an ``int``, and many return
        nothing.
        """
        if name not in self._results:
            text = text_of(self.port.claims.functions[name].file)
            body = function_bodies([text], [name]).get(name)
            self._results[name] = body is None or body.returns_a_value
        return self._results[name]

    def traces(self, refuted: RefutedCall) -> BothTraces:
        """What the old and the new function do in a refuted call."""
        call = refuted.terms.call
        old = self.own_faults.old_function(call.place)
        return self._tracer.trace(
            refuted,
            0 if old is None else old.size,
            self.own_faults.callees(call),
            self.words(call.script, refuted.graft),
        )

    def sentence(self, refuted: RefutedCall) -> str:
        """A difference as a sentence in the words of the new source."""
        call, function, found = refuted.terms.call, refuted.function, refuted.found
        words = self.words(call.script, refuted.graft)
        values = words.values(found.addresses, result_in_memory(self.replayer, call, function))
        bytes_at = self.replayer.bytes_at
        shown = [
            (
                one,
                bytes_at(call, one.address, one.size, refuted.new),
                bytes_at(call, one.address, one.size, refuted.old),
            )
            for one in values
        ]
        written = ""
        if found.addresses:
            first = values[0]
            stores = last_stores(
                self.replayer,
                call,
                function.address,
                range(first.address, first.address + first.size),
                refuted.terms.changed,
                refuted.new.code,
            )
            written = next((line for pc in stores if (line := words.line(pc))), "")
        kind = function.result
        signed = kind is not None and kind.dtype.kind == "i"
        bits = 8 * kind.size if kind is not None else 32
        number = f"{refuted.number} with {refuted.changes}" if refuted.changes else refuted.number
        return sentence(str(number), found, shown, written, signed, bits)

    # -- grafts ------------------------------------------------------------------------------------

    def places(self, script: str) -> RunPlaces:
        """Where places of the program were in a recorded run."""
        run = next((run for run in self._runs if run.script == script), None)
        segments = run.places if run is not None else {}
        return RunPlaces(self.replayer.session, segments)

    def words(self, script: str, graft: Graft) -> DifferenceWords:
        """Names what lies at addresses of a run."""
        return DifferenceWords(
            self.port.claims,
            graft.program,
            self.replayer.session.mac.layout,
            self.places(script).address_of,
        )

    def graft(self, script: str, among: Sequence[ClaimedFunction]) -> Graft | None:
        """The new functions, linked for a recorded run, and in memory; None if none can be linked.

        Those that cannot be are left out.
        """
        return self._grafts.graft(script, [one.name for one in among])

    def _ignored(self) -> list[range]:
        return ignored_addresses(self.port.project.ignore, self.replayer.session.address_of)

    # -- verdicts ----------------------------------------------------------------------------------

    def judged(self, function: ClaimedFunction, tally: CallTally) -> FunctionVerdict:
        """The verdict on a function by what its calls have shown."""
        verdict, reason = VERIFIED, ""
        if tally.first is not None:
            verdict, reason = REFUTED, self.sentence(tally.first)
        elif tally.own_constants:
            number, place = tally.own_constants[0]
            verdict, reason = (
                INCONCLUSIVE,
                f"call {number}: the original changes a constant of its own, such as a text, from "
                f"{place} on, and the new function one of its own in its place; give the new one "
                "a name and a mark GLOBAL with the place, so that both are the same bytes",
            )
        elif not tally.compared:
            verdict, reason = INCONCLUSIVE, self._why_nothing(function, tally)
        elif tally.idle == tally.compared:
            self.idle.add(function.name)
            verdict, reason = INCONCLUSIVE, _IDLE
        remarks = [f"{count} calls were left out: {why}" for why, count in tally.skipped.items()]
        if tally.first is not None:
            remarks += map(str, self.traces(tally.first).accesses())
        if tally.unsure:
            names = ", ".join(sorted(tally.unsure)[:3])
            remarks.append(
                f"the original itself leaves in {names} what nobody wrote; that was not compared"
            )
        if tally.excused:
            remarks.append(
                f"{tally.excused} of {tally.compared} calls differ by the original's own fault: "
                "with the same where nobody wrote, both leave the same"
            )
        remarks += [f"the original's own fault: {one}" for one in tally.culprits]
        if tally.unpriced:
            remarks.append(f"its cycles are not known: {tally.unpriced}")
        if not self._has_result(function.name):
            remarks.append("its source returns no value, so no result was compared")
        if tally.refuted > 1:
            remarks.append(f"{tally.refuted} of {tally.compared} calls differ")
        return FunctionVerdict(
            function.name,
            function.place,
            verdict,
            reason,
            calls=tally.compared,
            remarks=tuple(remarks),
            cycles=tally.cycles,
        )

    def _why_nothing(self, function: ClaimedFunction, tally: CallTally) -> str:
        if function.name in self._grafts.unlinked:
            return self._grafts.unlinked[function.name]
        counts = sum(run.counts.get(function.place, 0) for run in self._runs)
        if tally.skipped:
            return "no recorded call could be made again"
        if not self._runs:
            return "nothing has been recorded yet: macproof port record"
        if not counts:
            return "no recorded run has called it"
        return f"it was called {counts:,} times, and no call of it has returned"
