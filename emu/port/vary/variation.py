"""Makes changed calls on an old and a new function, and compares what both leave."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import replace

from emu.port.original.session import Session
from emu.port.recording.store import RecordedCall
from emu.port.replay.comparison import ReplayDivergence
from emu.port.replay.replayer import (
    FAULT,
    JUNK_WORDS,
    OTHER_CALL,
    TOO_LONG,
    Replayer,
    ReplayOutcome,
    code_limit,
)
from emu.port.vary.bounds import Bounds
from emu.port.vary.coverage import ReachedBlocks
from emu.port.vary.floats import FloatForm, with_floats
from emu.port.vary.inputs import (
    MEMORY,
    REGISTER,
    ByteChanges,
    CallSurroundings,
    Changes,
    Input,
    Moment,
    Pointers,
    inputs_of,
)
from emu.port.vary.model import Change, Variations, VariedDifference, VariedFunction
from emu.port.vary.observer import Observation, Observer, repeated, run
from emu.port.vary.proposals import Base, Proposals
from emu.port.vary.reduction import reduce_changes
from emu.program.model.wide_floats import Extended
from emu.toolbox.guest.layout import LowMemory

_TRIES, _FIRST_TRIES = 6, 50
"""How many changes are tried for each that is compared, besides as many as are to be compared."""
_REPEATED = "made before"
OUTSIDE, UNSURE = "accesses other memory", "depends on what nobody wrote"
OVERFLOW = "differs only for numbers so large that they overflow"
OWN_FRAME = "accesses its own frame through a pointer"
_DEEPER = 480
"""By how many bytes deeper in the stack a call is made again. What it accesses through its frame
pointer is as before then; what a wild pointer finds in the frame is something else."""
_FAR = 6
"""A number of 2 or 4 bytes of which so many upper bits are used may overflow when it is multiplied
by the size of an array's row, 32 bytes."""
_NEAR = (0x3FF, 0x100, 0x40, 2, 1)
_WORDS = {
    FAULT: "faults",
    TOO_LONG: "runs too long",
    OTHER_CALL: "makes other calls of the Toolbox",
}


def vary(
    replayer: Replayer,
    calls: Iterable[RecordedCall],
    function: VariedFunction,
    amount: int,
    seed: int,
) -> Variations:
    """Change recorded calls, and make them on the old and on the new function.

    What the old function reads is changed: arguments, globals, memory behind pointers. A change
    after which it faults, runs long, calls the Toolbox otherwise, or accesses memory outside of
    the objects that it accesses when it is recorded is dropped. It ends with the first difference.

    Args:
        replayer: the recordings, and the new function in its memory.
        calls: recorded calls of the old function.
        function: the two functions.
        amount: how many changed calls are compared.
        seed: the same seed makes the same changes.

    Raises:
        ToolMissingError: llvmlite is not installed.
    """
    return _Variation(replayer, function).vary(calls, amount, seed)


class _Variation:
    """The work of `vary`."""

    def __init__(self, replayer: Replayer, function: VariedFunction) -> None:
        self._replayer, self._function = replayer, function
        self._observer = Observer(replayer)
        self._session = replayer.session
        self._code = code_of(replayer)
        self._around = _surroundings(self._session, self._code, function)
        used = (self._session.address_of(place) for place in function.old.uses)
        self._bounds = Bounds(
            function.objects,
            [address for address in used if address is not None],
            self._code,
            function.callee_bytes,
        )
        index = self._session.mac.engine.index
        self._registers = [index[name] for name in function.old.registers]
        self._callers = [index[name] for name in self._session.frames.callers]
        self._names = {number: name for name, number in index.items()}
        self._reached = ReachedBlocks(function.old)
        self._steps: set[tuple[int, int, int]] = set()
        self._dropped: Counter[str] = Counter()

    def vary(self, calls: Iterable[RecordedCall], amount: int, seed: int) -> Variations:
        bases = self._recorded(calls)
        recorded = self._reached.count
        proposals = Proposals(bases, self._function.old.constants, seed)
        seen: set[tuple[int, frozenset[tuple[tuple[str, int], int]]]] = set()
        compared, refutation = 0, None
        tries = 0
        while compared < amount and refutation is None and not proposals.is_empty:
            tries += 1
            if tries > amount + _TRIES * compared + _FIRST_TRIES:
                break
            base, changes = proposals.propose()
            changed = base.moment.bytes_changed(changes)
            key = (id(base.moment), frozenset(changed.items()))
            if not changed or key in seen:
                self._dropped[_REPEATED] += 1
                continue
            seen.add(key)
            old = self._observe(base.moment, changed)
            if old is None:
                continue
            if not old.steps <= self._steps:
                self._steps |= old.steps
                proposals.keep(self._base(base.moment, old, changes))
            divergence = self._divergence(base.moment, changed, old)
            if divergence is None:
                continue
            if divergence:
                small = self._moderate(proposals, base, changes, (changed, divergence))
                if small is None:
                    self._dropped[OVERFLOW] += 1
                    continue
                own = self._own(base.moment, *small)
                if own:
                    refutation = self._small(base, small[0], own, compared + 1)
            compared += 1
        return Variations(
            compared,
            dict(self._dropped),
            self._reached.coverage(recorded),
            refutation,
            _remark(bases, proposals, compared, amount) if refutation is None else "",
        )

    # -- recorded calls ----------------------------------------------------------------------------

    def _recorded(self, calls: Iterable[RecordedCall]) -> list[Base]:
        """The recorded calls, and what they read; bounds, steps and blocks are noted."""
        bases, longest = [], 0
        for call in calls:
            moment = Moment(self._replayer, call)
            observation = self._observer.observe(moment, {})
            if not observation.outcome.returned:
                continue
            self._bounds.add(moment, observation.accesses)
            self._steps |= observation.steps
            self._reached.add(call.entry, observation.blocks)
            longest = max(longest, observation.outcome.code)
            bases.append(self._base(moment, observation))
        self._observer.limit(longest)
        return bases

    def _base(self, moment: Moment, seen: Observation, changes: Changes | None = None) -> Base:
        inputs = inputs_of(moment, seen.accesses, self._around, self._registers)
        floats: dict[Input, FloatForm] = {}
        if self._function.float_at is not None:
            inputs, floats = with_floats(moment, inputs, self._around, self._function.float_at)
        pointers = Pointers(seen.accesses, self._around.system)
        return Base(moment, changes or {}, inputs, pointers, self._stack(moment), floats)

    def _stack(self, moment: Moment) -> range:
        end = moment.read(LowMemory.CURRENT_STACK_BASE, 4) or b""
        return range(self._around.stack, int.from_bytes(end, "big"))

    # -- changed calls -----------------------------------------------------------------------------

    def _observe(self, moment: Moment, changed: ByteChanges) -> Observation | None:
        """A changed call of the old function; None if nothing can be said of it."""
        old = self._observer.observe(moment, changed)
        if not old.outcome.returned:
            self._dropped[_WORDS[old.outcome.end]] += 1
            return None
        if self._bounds.outside(moment, old.accesses) is not None:
            self._dropped[OUTSIDE] += 1
            return None
        self._reached.add(moment.call.entry, old.blocks)
        return old

    def _divergence(
        self, moment: Moment, changed: ByteChanges, old: Observation
    ) -> ReplayDivergence | None:
        """What the new function leaves differently; None if nothing can be said of it.

        What the old function itself leaves differently with other junk in dead memory is left out.
        """
        function = self._function
        most = code_limit(old.outcome.code)
        new = run(self._replayer, moment, function.new, changed, most)
        found = self._compare(moment, old.outcome, new)
        if not found:
            return found
        unsure = self._compare(moment, old.outcome, self._with_junk(moment, changed))
        if unsure.end:
            self._dropped[UNSURE] += 1
            return None
        deeper = (
            (old.outcome, self._observer.observe(moment, changed, deeper=_DEEPER).outcome),
            (new, run(self._replayer, moment, function.new, changed, most, deeper=_DEEPER)),
        )
        if any(
            one.end != two.end or (one.returned and self._compare(moment, one, two))
            for one, two in deeper
        ):
            self._dropped[OWN_FRAME] += 1
            return None
        return replace(
            found,
            addresses=tuple(sorted({*found.addresses} - {*unsure.addresses})),
            result=None if unsure.result is not None else found.result,
        )

    def _own(
        self, moment: Moment, changed: ByteChanges, found: ReplayDivergence
    ) -> ReplayDivergence:
        """A difference without what comes of old functions that read what nobody wrote."""
        if self._function.blame is None:
            return found
        blame = self._function.blame(moment.call)
        again = blame.as_the_original_called(repeated(moment, changed), self._function.new)
        left = self._compare(moment, self._observer.observe(moment, changed).outcome, again)
        if left.end or found.end:
            return left
        still = {*left.addresses}
        return ReplayDivergence(
            tuple(address for address in found.addresses if address in still),
            tuple(name for name in found.registers if name in left.registers),
            found.result if left.result is not None else None,
        )

    def _with_junk(self, moment: Moment, changed: ByteChanges) -> ReplayOutcome:
        """What the old function leaves with other junk where it may read nothing."""
        callers = dict.fromkeys(((REGISTER, number) for number in self._callers), JUNK_WORDS[1])
        other = self._observer.observe(moment, {**callers, **changed}, junk=1).outcome
        return other if other.returned else self._observer.observe(moment, changed, junk=1).outcome

    def _compare(
        self, moment: Moment, one: ReplayOutcome, other: ReplayOutcome
    ) -> ReplayDivergence:
        scratch = self._function.scratch | {self._session.frames.pointer_name}
        return self._function.comparison.compare(moment.call, one, other, scratch=scratch)

    def _difference(self, moment: Moment, changed: ByteChanges) -> ReplayDivergence | None:
        """What the new function leaves differently after a change; None for nothing."""
        old = self._observer.observe(moment, changed)
        if not old.outcome.returned or self._bounds.outside(moment, old.accesses) is not None:
            return None
        return self._divergence(moment, changed, old) or None

    def _moderate(
        self,
        proposals: Proposals,
        base: Base,
        changes: Changes,
        shown: tuple[ByteChanges, ReplayDivergence],
    ) -> tuple[ByteChanges, ReplayDivergence] | None:
        """A difference without numbers that overflow; None if it needs them.

        Old compilers multiply an index by the size of an element in 16 bits or in 32, as they like.
        """
        moment = base.moment
        far = {
            place
            for place, value in changes.items()
            if _is_far(base, place, value) and not proposals.was_seen(place, value)
        }
        if not far:
            return shown
        near = {place: value for place, value in changes.items() if place not in far}
        for size in (0, *_NEAR):
            tried = dict(near)
            for place in far if size else ():
                if place in base.floats:
                    tried[place] = base.floats[place].value(Extended(size))
                    continue
                bits = 8 * place.size
                sign = -1 if changes[place] >> bits - 1 else 1
                tried[place] = sign * size % (1 << bits)
            changed = moment.bytes_changed(tried)
            divergence = self._difference(moment, changed) if changed else None
            if divergence is not None:
                return changed, divergence
        return None

    def _small(
        self, base: Base, changed: ByteChanges, divergence: ReplayDivergence, number: int
    ) -> VariedDifference:
        """The difference with the fewest changed bytes; of a float all are changed, or none."""
        moment = base.moment
        whole = [
            {(MEMORY, moment.address(place) + at) for at in range(place.size)} & changed.keys()
            for place in base.floats
        ]
        found = {frozenset(changed.items()): divergence}

        def shows(fewer: ByteChanges) -> bool:
            if any(0 < len(part & fewer.keys()) < len(part) for part in whole):
                return False
            still = self._difference(moment, fewer)
            if still is not None:
                found[frozenset(fewer.items())] = still
            return still is not None

        small = reduce_changes(changed, shows)
        own = self._own(moment, small, found[frozenset(small.items())])
        if not own:
            small, own = dict(changed), divergence
        return VariedDifference(moment.call, self._changes(moment, small), own, number)

    def _changes(self, moment: Moment, changed: ByteChanges) -> tuple[Change, ...]:
        """Changed bytes, those that follow one another together."""
        found: list[Change] = []
        for (kind, place), value in sorted(changed.items()):
            before = moment.original(kind, place)
            if kind != MEMORY:
                words = (before.to_bytes(4, "big"), value.to_bytes(4, "big"))
                found.append(Change(place, *words, self._names[place]))
                continue
            last = found[-1] if found and not found[-1].register else None
            if last is not None and last.address + len(last.after) == place:
                found[-1] = Change(
                    last.address, last.before + bytes([before]), last.after + bytes([value])
                )
            else:
                found.append(Change(place, bytes([before]), bytes([value])))
        return tuple(found)


def is_far(value: int, size: int) -> bool:
    """Whether an unsigned number, taken as a signed one, overflows as the number of a row."""
    bits = 8 * size
    signed = value - (1 << bits) if value >> bits - 1 else value
    return size > 1 and not -(1 << bits - _FAR) <= signed < 1 << bits - _FAR


def _is_far(base: Base, place: Input, value: int) -> bool:
    form = base.floats.get(place)
    return is_far(value, place.size) if form is None else form.is_far(value)


def code_of(replayer: Replayer) -> tuple[range, ...]:
    """Where code of the program was in the recorded runs."""
    found = {
        replayer.session.segment_of(place, address)
        for recorded in replayer.runs()
        for place, address in recorded.places.items()
    }
    return tuple(sorted(found, key=lambda part: part.start))


def _surroundings(
    session: Session, code: Collection[range], function: VariedFunction
) -> CallSurroundings:
    regions = {region.name: region for region in session.regions}
    screen, layout = regions["screen"], session.mac.layout
    return CallSurroundings(
        code,
        regions["heap"].address,
        function.callee_bytes,
        session.frames.callee_bytes(0),
        session.mac.layout.stack,
        range(screen.address, screen.end),
        (
            range(layout.globals_start, layout.a5),
            *(range(region.address, region.end) for region in layout.sections),
        ),
        function.objects,
    )


def _remark(bases: list[Base], proposals: Proposals, compared: int, amount: int) -> str:
    if not bases:
        return "no recorded call could be made again"
    if proposals.is_empty:
        return "the old function reads nothing that could be changed"
    if compared < amount:
        return f"{compared:,} changed calls could be compared of {amount:,} asked for"
    return ""
