"""Finds what a new function does differently first, beside the old one.

Two compilers store, load and branch in other orders, so what both do is not compared step by step.
Each byte that is stored has a history of its own, the values that it held one after the other; the
first difference in any history, in the order of the original, is where the two part, unless a call
of another function or of the Toolbox differs before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from emu.port.replay.replayer import OTHER_CALL as OTHER_CALL_END
from emu.port.replay.tracer import CALL, LOAD, STORE, TOOLBOX, CallEvent, CallTrace

OTHER_VALUE, MISSING_STORE, FURTHER_STORE = "other value", "missing store", "further store"
OTHER_CALL, OTHER_TOOLBOX = "other call", "other Toolbox call"
MISSING_READ, FURTHER_READ, OTHER_RESULT = "missing read", "further read", "other result"


@dataclass(frozen=True, slots=True)
class CallSide:
    """One function in a call.

    Attributes:
        trace: what it did.
        is_branch: whether a conditional branch is at an address.
        is_own: whether an instruction is the function's, and not what stands for calls of others.
    """

    trace: CallTrace
    is_branch: Callable[[int], bool]
    is_own: Callable[[int], bool]

    def step(self, event: CallEvent | None) -> int:
        """The function's own instruction that does something; of the result for None."""
        steps = self.trace.steps
        last = self.trace.result_step + 1 if event is None else event.step
        return next((at for at in reversed(steps[:last]) if self.is_own(at)), 0)

    def phases(self) -> Iterator[tuple[CallEvent, _Key]]:
        """Each event, and a key by which the same one is found in the other function.

        Before and after a call of another function are two times.
        """
        calls = 0
        for event in self.trace.events:
            yield event, (event.kind, event.address, event.words, calls)
            calls += event.kind in (CALL, TOOLBOX)


@dataclass(frozen=True, slots=True)
class ComparedMemory:
    """The memory that is compared after a call.

    Attributes:
        has: whether it has the byte at an address.
        before: what a byte was before the call.
    """

    has: Callable[[int], bool]
    before: Callable[[int], int]


@dataclass(frozen=True, slots=True)
class CallFork:
    """Where two functions part.

    Attributes:
        kind: `OTHER_VALUE`, `MISSING_STORE`, and so on.
        old: what the original does there; None if it does nothing.
        new: what the new function does there; None if it does nothing.
        old_step: the instruction of the original where it is, or 0.
        new_step: that of the new function.
        old_branch: the conditional branch after which the original does something else; or 0.
        new_branch: that of the new function; or 0.
        address: the byte that differs, of a store or a load.
    """

    kind: str
    old: CallEvent | None
    new: CallEvent | None
    old_step: int = 0
    new_step: int = 0
    old_branch: int = 0
    new_branch: int = 0
    address: int = 0

    @property
    def is_branch(self) -> bool:
        """Whether the two take other ways, and do not only compute other things."""
        return bool(self.old_branch and self.new_branch) and self.kind != OTHER_RESULT


def find_fork(old: CallSide, new: CallSide, memory: ComparedMemory) -> CallFork:
    """Where two functions part.

    Args:
        old: the original.
        new: the new function.
        memory: what of it is compared.
    """
    candidates = [*_calls(old, new)]
    outcome = new.trace.outcome
    if not candidates or (outcome is not None and outcome.returned):
        candidates += _stores(old, new, memory)
    if candidates:
        _, kind, one, other, address = min(candidates, key=lambda found: found[0])
    else:
        kind, one, other, address = _reads(old, new, memory)
    alone = _first_alone(old, new, (one, other), memory)
    branches = (0, 0)
    if alone != (None, None) or kind == OTHER_RESULT:
        branches = _branches(old, new, *alone, memory)
    return CallFork(
        kind,
        one,
        other,
        old.step(one),
        new.step(other),
        *branches,
        address,
    )


_Key = tuple[str, int, str, int]
_Rows = Sequence[tuple[CallEvent, _Key]]
_MOST_ALIKE = 20
_Candidate = tuple[tuple[int, int, int], str, CallEvent | None, CallEvent | None, int]


# -- stores ----------------------------------------------------------------------------------------

_History = list[tuple[int, int]]
"""The values of a byte, each with the index of the event; none twice in a row. The first is what it
held before, with -1."""


def _stores(old: CallSide, new: CallSide, memory: ComparedMemory) -> Iterator[_Candidate]:
    sides = [_histories(side.trace, memory) for side in (old, new)]
    for address in sides[0].keys() | sides[1].keys():
        before = [(memory.before(address), -1)]
        one, other = (side.get(address, before) for side in sides)
        if one[-1][0] == other[-1][0]:
            continue
        for mine, yours in zip_longest(one, other):
            if mine is not None and yours is not None and mine[0] == yours[0]:
                continue
            times = [
                None if entry is None else _time(side, entry[1])
                for side, entry in ((old, mine), (new, yours))
            ]
            first, second = times
            # Between other calls it is not the same store.
            if first is not None and (second is None or first[0] < second[0]):
                kind, second = MISSING_STORE, None
            elif second is not None and (first is None or second[0] < first[0]):
                kind, first = FURTHER_STORE, None
            else:
                kind = OTHER_VALUE
            yield (
                first or second or (0, 0, 0),
                kind,
                None if first is None else old.trace.events[first[2]],
                None if second is None else new.trace.events[second[2]],
                address,
            )
            break


def _histories(trace: CallTrace, memory: ComparedMemory) -> dict[int, _History]:
    found: dict[int, _History] = {}
    for number, event in enumerate(trace.events):
        if event.kind != STORE:
            continue
        for address, value in enumerate(event.data, event.address):
            if memory.has(address):
                row = found.setdefault(address, [(memory.before(address), -1)])
                if row[-1][0] != value:
                    row.append((value, number))
    return found


def _time(side: CallSide, number: int) -> tuple[int, int, int]:
    """When something happens: after how many calls, and after how many events."""
    calls = sum(_is_call(event) for event in side.trace.events[:number])
    return calls, 0, number


# -- calls -----------------------------------------------------------------------------------------


def _calls(old: CallSide, new: CallSide) -> Iterator[_Candidate]:
    sides = [
        [(number, each) for number, each in enumerate(side.trace.events) if _is_call(each)]
        for side in (old, new)
    ]
    ends = new.trace.outcome is not None and new.trace.outcome.end == OTHER_CALL_END
    last = len(sides[1]) - 1 if ends and sides[1] and sides[1][-1][1].kind == TOOLBOX else -1
    for count, (one, other) in enumerate(zip_longest(*sides)):
        mine, yours = (None if each is None else each[1] for each in (one, other))
        if count != last and mine is not None and yours is not None and _same(mine, yours):
            continue
        kinds = {each.kind for each in (mine, yours) if each is not None}
        kind = OTHER_TOOLBOX if kinds == {TOOLBOX} else OTHER_CALL
        number = one[0] if one is not None else other[0] if other is not None else 0
        yield (count, 1, number), kind, mine, yours, 0
        return


def _is_call(event: CallEvent) -> bool:
    return event.kind in (CALL, TOOLBOX)


def _same(one: CallEvent, other: CallEvent) -> bool:
    """Whether two calls are of the same function; arguments of the Toolbox are compared elsewhere.

    A number that is no address has to be the same.
    """
    if (one.kind, one.address, one.words) != (other.kind, other.address, other.words):
        return False
    pairs = zip(one.arguments, other.arguments, strict=False)
    return all(a == b or (_may_be_address(a) and _may_be_address(b)) for a, b in pairs)


def _may_be_address(value: object) -> bool:
    return isinstance(value, int) and value > 0xFFFF


# -- reads and branches ----------------------------------------------------------------------------


def _reads(
    old: CallSide, new: CallSide, memory: ComparedMemory
) -> tuple[str, CallEvent | None, CallEvent | None, int]:
    """The first read that only one of the two makes."""
    sides = [side.trace.accessed(LOAD) for side in (old, new)]
    for kind, side, other in ((MISSING_READ, old, sides[1]), (FURTHER_READ, new, sides[0])):
        for event in side.trace.events:
            if event.kind != LOAD:
                continue
            for address in range(event.address, event.address + len(event.data)):
                if memory.has(address) and address not in other:
                    pair = (event, None) if side is old else (None, event)
                    return kind, *pair, address
    return OTHER_RESULT, None, None, 0


def _first_alone(
    old: CallSide,
    new: CallSide,
    found: tuple[CallEvent | None, CallEvent | None],
    memory: ComparedMemory,
) -> tuple[CallEvent | None, CallEvent | None]:
    """The first thing up to a difference that only one of the two does, be it a read."""
    if found.count(None) == 1:
        return found
    seen = [
        {(each.kind, at, key[3]) for each, key in side.phases() for at in _addresses(each)}
        for side in (old, new)
    ]
    for side, other, last in ((old, seen[1], found[0]), (new, seen[0], found[1])):
        for each, key in side.phases():
            if each is last:
                break
            if _is_call(each) or not memory.has(each.address):
                continue
            if not any((each.kind, at, key[3]) in other for at in _addresses(each)):
                return (each, None) if side is old else (None, each)
    return None, None


def _addresses(event: CallEvent) -> range:
    return range(event.address, event.address + max(len(event.data), 1))


def _branches(
    old: CallSide,
    new: CallSide,
    one: CallEvent | None,
    other: CallEvent | None,
    memory: ComparedMemory,
) -> tuple[int, int]:
    """The branches behind which the two do something else; 0 for a function without one.

    That of the one that does more is the last before what it does alone. That of the other one lies
    behind the last thing that both do; if that are several, it is the one that both had before
    between the same things, or else the first.
    """
    event = one or other
    if event is None:
        return _last_branch(old, 0, None), _last_branch(new, 0, None)
    more, less = (old, new) if one is not None else (new, old)
    mine, yours = (
        [(e, key) for e, key in side.phases() if _is_call(e) or memory.has(e.address)]
        for side in (more, less)
    )
    keys = Counter(key for _, key in yours)
    index = next(n for n, (each, _) in enumerate(mine) if each is event)
    seen = Counter(key for _, key in mine[:index])
    while index and seen[mine[index - 1][1]] > keys[mine[index - 1][1]]:
        index -= 1
        seen[mine[index][1]] -= 1
    far = _last_branch(more, *_between(mine, index))
    common = {key for _, key in mine[:index]}
    key = mine[index - 1][1] if index else None
    found = [n for n, (_, each) in enumerate(yours) if each == key][: seen[key] if key else 0]
    at = found[-1] + 1 if found else 0
    while at < len(yours) and yours[at][1] in common:
        at += 1
    start, end = _between(yours, at)
    steps = less.trace.steps[start : None if end is None else end.step]
    gap = [step for step in steps if less.is_branch(step)]
    alike = _alike(more, (mine, yours), far, less)
    near = next((step for step in gap if step in alike), gap[0] if gap else 0)
    return (far, near) if more is old else (near, far)


def _alike(more: CallSide, rows: tuple[_Rows, _Rows], branch: int, less: CallSide) -> set[int]:
    """Branches of one function between the same things as a branch of the other had been before."""
    mine, yours = rows
    found: set[int] = set()
    for step in [n for n, at in enumerate(more.trace.steps) if at == branch][:_MOST_ALIKE]:
        before = [key for event, key in mine if event.step <= step][-1:]
        behind = [key for event, key in mine if event.step > step][:1]
        first = next((n for n, (_, key) in enumerate(yours) if before == [key]), -1)
        last = next((n for n, (_, key) in enumerate(yours) if n > first and behind == [key]), None)
        if last is None or (before and first < 0):
            continue
        start, end = yours[first][0].step - 1 if before else 0, yours[last][0].step
        found.update(at for at in less.trace.steps[start:end] if less.is_branch(at))
    return found


def _between(rows: _Rows, at: int) -> tuple[int, CallEvent | None]:
    """The step of the event before one, and that event; None behind the last."""
    start = rows[at - 1][0].step - 1 if at else 0
    return max(start, 0), rows[at][0] if at < len(rows) else None


def _last_branch(side: CallSide, start: int, event: CallEvent | None) -> int:
    steps = side.trace.steps[start : None if event is None else event.step]
    return next((at for at in reversed(steps) if side.is_branch(at)), 0)
