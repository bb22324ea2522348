"""Tells what is the original's own fault: some of its code reads what nobody wrote."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cached_property

from emu.port.model import LIBRARY, Claims
from emu.port.recording.store import RecordedCall
from emu.port.replay.blame import CalleeBlame, Culprit
from emu.port.replay.callees import STACK, Callee, CalleeReplay, RepeatedCall
from emu.port.replay.comparison import ReplayComparison
from emu.port.replay.replayer import JUNK_WORDS, Replayer, ReplayOutcome, code_limit
from emu.port.vary.old_function import OldFunction, old_function
from emu.port.verify.run_places import RunPlaces
from emu.program.functions.find_functions import known_functions
from emu.program.functions.model import OWN, ProgramFunctions


class OwnFaults:
    """Finds faults of the original in recorded calls.

    Args:
        replayer: makes calls.
        claims: what the marks of the port say.
        places: gives the places of a recorded run, by the digest of its script.
    """

    def __init__(
        self, replayer: Replayer, claims: Claims, places: Callable[[str], RunPlaces]
    ) -> None:
        self._replayer, self._claims, self._places = replayer, claims, places
        frames, index = replayer.session.frames, replayer.session.mac.engine.index
        self._callers = {name: index[name] for name in frames.callers}
        self._scratch = {name: index[name] for name in frames.scratch}
        self._by_script: dict[str, dict[int, Callee]] = {}

    @cached_property
    def _replay(self) -> CalleeReplay:
        return CalleeReplay(self._replayer)

    @cached_property
    def _old_functions(self) -> ProgramFunctions:
        return known_functions(self._replayer.session.program)

    @cached_property
    def _functions(self) -> list[Callee]:
        """The old functions that may be called: the program's own, and those with a mark."""
        claimed = {one.place: one for one in self._claims.functions.values()}
        found = []
        for function in self._old_functions.functions:
            claim = claimed.get(function.place)
            if claim is not None and claim.kind == LIBRARY:
                continue
            if claim is not None or function.kind == OWN:
                name = claim.name if claim is not None else function.label
                found.append(Callee(name, function.place, claim is not None))
        return found

    def blame(self, call: RecordedCall) -> CalleeBlame:
        """What old functions have to do with differences in a call."""
        return CalleeBlame(self._replay, self.callees(call), call.entry)

    def old_function(self, place: str) -> OldFunction | None:
        """The facts of an old function; None if none was found there."""
        function = next((one for one in self._old_functions.functions if one.place == place), None)
        return None if function is None else old_function(self._old_functions, function)

    @cached_property
    def sizes(self) -> Mapping[str, int]:
        """The bytes of each old function, by its place."""
        return {one.place: one.size for one in self._old_functions.functions}

    def callees(self, call: RecordedCall) -> Mapping[int, Callee]:
        """The old functions that may be called, by their addresses in a recorded run."""
        if call.script not in self._by_script:
            address_of = self._places(call.script).address_of
            self._by_script[call.script] = {
                address: callee
                for callee in self._functions
                if (address := address_of(callee.place)) is not None
            }
        return self._by_script[call.script]

    def with_junk(self, call: RecordedCall, junk: int) -> ReplayOutcome:
        """A call of the old function with junk wherever it may read nothing.

        It is not in registers of its callers if the function then does not return, since some
        functions in assembly get arguments in any register.

        Args:
            call: the call.
            junk: 0 or 1, which junk.
        """
        run = self._replayer.run
        registers = dict.fromkeys(self._callers.values(), JUNK_WORDS[junk])
        outcome = run(call, call.entry, junk=junk, registers=registers)
        return outcome if outcome.returned else run(call, call.entry, junk=junk)

    def is_chance(
        self, terms: RepeatedCall, new: int, outcome: ReplayOutcome, comparison: ReplayComparison
    ) -> bool:
        """Whether a new function leaves something else with other junk.

        Args:
            terms: the call.
            new: the address of the new function.
            outcome: what it has left.
            comparison: compares outcomes.
        """
        most = code_limit(outcome.code)
        other = self._replayer.run(
            terms.call,
            new,
            junk=1 - terms.junk,
            changed=terms.changed,
            registers=terms.registers,
            most_code=most,
        )
        if other.end != outcome.end:
            return True
        return outcome.returned and differs_from(comparison, terms.call, outcome)(other)

    def culprits(
        self, call: RecordedCall, junk: int, differs: Callable[[ReplayOutcome], bool]
    ) -> tuple[Culprit, ...]:
        """Who reads what nobody wrote, if the old function differs from itself.

        Args:
            call: the call.
            junk: 0 or 1, the junk that was there when it did as expected.
            differs: whether an outcome is another one.
        """
        blame, terms = self.blame(call), RepeatedCall(call, junk=junk)
        other = dict.fromkeys(self._callers.values(), JUNK_WORDS[1 - junk])
        with_other = RepeatedCall(call, registers=other, junk=1 - junk)
        if not differs(blame.as_the_original_called(terms, call.entry, with_other)):
            return blame.culprits(terms, differs)
        claims = self._claims.functions.values()
        name = next((one.name for one in claims if one.place == call.place), call.place)
        return (Culprit(name, call.place, tuple(self._own_parts(call, junk, differs))),)

    def _own_parts(
        self, call: RecordedCall, junk: int, differs: Callable[[ReplayOutcome], bool]
    ) -> list[str]:
        """Where the old function itself reads what nobody wrote."""
        run, word = self._replayer.run, JUNK_WORDS[1 - junk]
        numbers = self._callers | self._scratch
        found = [
            name
            for name, number in numbers.items()
            if differs(run(call, call.entry, junk=junk, registers={number: word}))
        ]
        kept = dict.fromkeys(self._scratch.values(), JUNK_WORDS[junk])
        if differs(run(call, call.entry, junk=1 - junk, registers=kept)):
            found.append(STACK)
        return found


def differs_from(
    comparison: ReplayComparison,
    call: RecordedCall,
    old: ReplayOutcome,
    unsure: Collection[int] = (),
) -> Callable[[ReplayOutcome], bool]:
    """Tells whether an outcome is not that of the old function; registers do not count.

    Args:
        comparison: compares outcomes.
        call: the call.
        old: what the old function left.
        unsure: addresses that do not count.
    """

    def differs(outcome: ReplayOutcome) -> bool:
        found = comparison.compare(call, old, outcome, unsure)
        return bool(found.end or found.addresses or found.result is not None)

    return differs
