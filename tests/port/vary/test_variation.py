"""Changed calls of the old game's functions, against themselves and against mistakes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from emu.machine.engine.watch.access_log import ACCESS
from emu.port.original.session import Session, SessionTerms
from emu.port.recording.recorder import Recorder, RecordTerms, layout_facts
from emu.port.recording.store import RecordedCall, RecordingStore
from emu.port.replay.comparison import ReplayComparison, ResultPlace
from emu.port.replay.replayer import Replayer
from emu.port.vary.bounds import Bounds, blocks_of
from emu.port.vary.inputs import Moment
from emu.port.vary.model import Variations, VariedFunction
from emu.port.vary.old_function import OldFunction, old_function
from emu.port.vary.variation import OVERFLOW, is_far, vary
from emu.program import read_program
from emu.program.functions.find_functions import find_functions
from emu.toolbox.guest.layout import GRAFTS

GAME = Path(__file__).parents[3] / "examples" / "old-game" / "Turncoat.bin"
SCRIPT = """\
schema: macproof.script/1
steps:
  - wait: {window: Turncoat}
  - click: {window: [92, 68]}
  - key: q
    modifiers: [command]
"""
ON_BOARD, IS_LEGAL, COUNT_DISCS = "CODE 1+0x6c", "CODE 1+0x118", "CODE 1+0x26c"
DRAW_SCORE = "CODE 1+0xb36"
BOARD, SQUARES = "A5-0x230", 64
ARGUMENTS = {ON_BOARD: 4, IS_LEGAL: 6, COUNT_DISCS: 2, DRAW_SCORE: 0}


@dataclass
class Game:
    """The recorded game."""

    replayer: Replayer
    store: RecordingStore
    facts: dict[str, OldFunction]

    def calls(self, place: str) -> list[RecordedCall]:
        return list(self.store.calls(place))

    def patched(self, place: str, offset: int, before: str, after: str) -> int:
        """The address of a copy of an old function with other bytes in it."""
        call, old = self.calls(place)[0], bytes.fromhex(before)
        self.replayer.restore(call.pages)
        memory = self.replayer.session.mac.engine.memory
        code = bytearray(memory.view(call.entry, self.facts[place].size).tobytes())
        assert code[offset : offset + len(old)] == old
        code[offset : offset + len(old)] = bytes.fromhex(after)
        self.replayer.put_graft(GRAFTS.address, bytes(code))
        return GRAFTS.address

    def vary(
        self, place: str, new: int = 0, amount: int = 60, seed: int = 1, most: int = 99
    ) -> Variations:
        """Changed calls; by default the new function is the old one."""
        session, calls = self.replayer.session, self.calls(place)[:most]
        comparison = ReplayComparison(self.replayer, ResultPlace("d0", 16), ARGUMENTS[place])
        board = session.address_of(BOARD)
        assert board is not None
        function = VariedFunction(
            self.facts[place],
            new or calls[0].entry,
            comparison,
            session.frames.callee_bytes(ARGUMENTS[place]),
            (range(board, board + SQUARES),),
        )
        return vary(self.replayer, calls, function, amount, seed)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Game]:
    folder = tmp_path_factory.mktemp("vary")
    script = folder / "play.yaml"
    script.write_text(SCRIPT)
    terms = SessionTerms(GAME, "68000")
    store = RecordingStore(folder / "calls.sqlite", layout_facts(Session(terms), "game"))
    Recorder(terms, script, RecordTerms(list(ARGUMENTS), (), 12), store).record()
    functions = find_functions(read_program(GAME))
    facts = {f.place: old_function(functions, f) for f in functions.functions}
    yield Game(Replayer(terms, store), store, facts)
    store.close()


@pytest.mark.parametrize("place", [ON_BOARD, IS_LEGAL, COUNT_DISCS])
def test_a_right_function_is_not_refuted(game: Game, place: str) -> None:
    found = game.vary(place, amount=150)
    assert found.refutation is None
    assert found.compared == 150, found.remark
    assert found.remark == ""


def test_a_mistake_that_no_recorded_call_shows_is_found(game: Game) -> None:
    """The last row is not counted: MOVEQ #7 in place of #8. No recorded call has a disc there."""
    new = game.patched(COUNT_DISCS, 0xC, "7c08", "7c07")
    comparison = ReplayComparison(game.replayer, ResultPlace("d0", 16), 2)
    for call in game.calls(COUNT_DISCS):
        old = game.replayer.run(call, call.entry)
        assert not comparison.compare(call, old, game.replayer.run(call, new))
    refutation = game.vary(COUNT_DISCS, new).refutation
    assert refutation is not None
    assert refutation.divergence.result is not None
    assert 1 <= refutation.divergence.result[0] - refutation.divergence.result[1] <= 8
    (change,) = refutation.changes
    assert len(change.before) == len(change.after) == 1, "one byte is enough"
    changed = {change.address: change.after}
    old, found = (
        game.replayer.run(refutation.call, entry, changed=changed)
        for entry in (refutation.call.entry, new)
    )
    assert comparison.compare(refutation.call, old, found) == refutation.divergence


def test_the_same_seed_makes_the_same_changes(game: Game) -> None:
    new = game.patched(COUNT_DISCS, 0xC, "7c08", "7c07")
    first, again = (game.vary(COUNT_DISCS, new, seed=3) for _ in range(2))
    other = game.vary(COUNT_DISCS, new, seed=4)
    assert _facts(first) == _facts(again)
    assert _facts(first) != _facts(other)


def _facts(found: Variations) -> tuple[object, ...]:
    assert found.refutation is not None
    refutation = found.refutation
    return found.compared, found.dropped, refutation.call.turn, refutation.changes


def test_changed_calls_reach_blocks_that_recorded_ones_do_not(game: Game) -> None:
    coverage = game.vary(IS_LEGAL, amount=100, most=1).coverage
    assert coverage.recorded < coverage.varied
    assert len(coverage.unreached) == coverage.blocks - coverage.varied


def test_what_would_lead_to_an_unreached_block_is_told(game: Game) -> None:
    coverage = game.vary(IS_LEGAL, amount=0, most=1).coverage
    assert coverage.recorded == coverage.varied < coverage.blocks
    assert all(block.place.startswith("CODE 1+0x1") for block in coverage.unreached)
    words = " ".join(block.words for block in coverage.unreached)
    assert "would have to come out otherwise for b" in words


def test_calls_may_access_whole_objects_and_nothing_else(game: Game) -> None:
    moment = Moment(game.replayer, game.calls(COUNT_DISCS)[0])
    bounds = Bounds([range(0x80000, 0x80040)], (), [], callee=6)
    bounds.add(moment, accesses((0x80010, 2), (0x80100, 4), (0x20000, 1)))
    for place, size, is_inside in (
        (0x80000, 4, True),
        (0x8003E, 4, False),
        (0x80100, 4, True),
        (0x80104, 1, False),
        (moment.pointer - 8, 4, True),
        (moment.pointer + 4, 2, True),
        (moment.pointer + 6, 2, False),
    ):
        outside = bounds.outside(moment, accesses((place, size)))
        assert outside == (None if is_inside else place)


def test_an_index_that_runs_into_the_dead_stack_is_outside(game: Game) -> None:
    """The frame reaches as far as a call accesses the stack without a gap."""
    moment = Moment(game.replayer, game.calls(COUNT_DISCS)[0])
    top = moment.pointer
    frame = ((top - 8, 4), (top - 0x200, 2))
    bounds = Bounds([], (), [], callee=6)
    bounds.add(moment, accesses(*frame))
    assert bounds.outside(moment, accesses(*frame, (top - 0x500, 2))) is None
    assert bounds.outside(moment, accesses(*frame, (top - 0x5000, 2))) == top - 0x5000
    bounds.add(moment, accesses((top - 0x4000, 2)))
    assert bounds.outside(moment, accesses(*frame, (top - 0x4200, 2))) is None, (
        "so large are its variables"
    )


def accesses(*spans: tuple[int, int]) -> NDArray[np.void]:
    return np.array([(place, size, False) for place, size in spans], dtype=ACCESS)


def test_the_blocks_of_the_heap_are_objects(game: Game) -> None:
    moment = Moment(game.replayer, game.calls(COUNT_DISCS)[0])
    blocks = list(blocks_of(moment))
    code = game.calls(COUNT_DISCS)[0].entry
    (own,) = (block for block in blocks if code in block)
    assert len(own) > 0x1000, "the segment's code is a block of the heap"
    assert all(one.stop <= two.start for one, two in itertools.pairwise(blocks))


def test_a_function_that_draws_is_changed_as_far_as_it_draws_the_same(game: Game) -> None:
    found = game.vary(DRAW_SCORE, amount=12)
    assert found.refutation is None
    assert found.dropped["makes other calls of the Toolbox"] > 0
    if found.compared < 12:
        assert found.remark == f"{found.compared} changed calls could be compared of 12 asked for"


def test_a_difference_by_overflow_is_counted_and_is_no_refutation(game: Game) -> None:
    """OR.W becomes ADD.W: at 0x8000 and 0x8000 the sum is 0, which is on the board."""
    new = game.patched(ON_BOARD, 0x8, "806e000a", "d06e000a")
    found = game.vary(ON_BOARD, new, amount=400)
    assert found.refutation is not None, "at 4 and 4, too"
    assert all(not is_far(int.from_bytes(c.after, "big"), 2) for c in found.refutation.changes)
    assert is_far(0x8000, 2)
    assert is_far(0x400, 2)
    assert is_far(0xC001, 2)
    assert not is_far(0x3FF, 2)
    assert not is_far(0xFC00, 2)
    assert not is_far(0xFFFF, 2)
    assert not is_far(0x80, 1)
    assert OVERFLOW not in game.vary(ON_BOARD).dropped


def test_a_call_deeper_in_the_stack_leaves_the_same(game: Game) -> None:
    """What a function accesses by its frame pointer moves with it."""
    for place in (COUNT_DISCS, IS_LEGAL):
        comparison = ReplayComparison(game.replayer, ResultPlace("d0", 16), ARGUMENTS[place])
        for call in game.calls(place)[:4]:
            outcomes = [game.replayer.run(call, call.entry, deeper=n) for n in (0, 480)]
            assert not comparison.compare(call, *outcomes)
