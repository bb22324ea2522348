"""Places of globals by the votes of functions, by layouts, and by what lies beside them."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from emu.program.functions.global_votes import Rooms, SourceUse, UsesOfFunction, votes_of
from emu.program.functions.matched_globals import GlobalMatching, MatchedGlobal, PlaceOfGlobal
from emu.program.functions.model import GlobalUse

READ, WRITE, TAKE = (1, 0, 0), (0, 1, 0), (0, 0, 1)
Counts = tuple[int, int, int]


def old_use(address: int, counts: Counts = READ) -> GlobalUse:
    return GlobalUse(address, f"A5-{0x1000 - address:#x}", 0, *counts)


def function(
    new: Mapping[str, Counts], old: Mapping[int, Counts], offset: int = 0
) -> UsesOfFunction:
    """A function that uses globals in one order, and the old one that uses them in another."""
    return UsesOfFunction(
        [SourceUse(name, offset, old_use(0, counts)) for name, counts in new.items()],
        [old_use(address, counts) for address, counts in old.items()],
    )


class KnownUses(GlobalMatching):
    """A matching of functions whose uses are given."""

    def __init__(self, functions: list[UsesOfFunction], sizes: Mapping[str, int]) -> None:
        super().__init__(sizes, [[{name: at for name, at in LAYOUT.items() if name in sizes}]])
        self._functions = functions


LAYOUT = {"board": 0, "spare": 100, "count": 102}


def test_what_is_known_is_taken_out_before_the_rest_is_aligned() -> None:
    crossing = function({"board": TAKE, "copy": TAKE}, {0x300: TAKE, 0x200: TAKE})
    sizes = {"board": 0x40, "copy": 0x40}
    assert 0x300 in votes_of([crossing], {}, sizes)["board"]
    votes = votes_of([crossing], {"board": 0x200}, sizes)
    assert dict(votes["copy"]) == {0x300: 1.0}


def test_a_global_lies_where_its_last_byte_is_free() -> None:
    """The old function reads members; the new one takes the address of the whole."""
    one = function({"tree": TAKE}, {0x200: READ, 0x202: READ, 0x204: READ, 0x206: TAKE})
    votes = votes_of([one], {"next": 0x220}, {"tree": 0x20, "next": 2})
    assert dict(votes["tree"]) == {0x200: 1.0}


@pytest.mark.parametrize(
    ("room", "overlaps"),
    [(range(8, 10), False), (range(8, 11), True), (range(14, 16), False), (range(13, 14), True)],
)
def test_rooms_overlap_where_they_share_a_byte(room: range, overlaps: bool) -> None:
    rooms = Rooms([range(20, 24)])
    rooms.add(range(10, 14))
    assert rooms.overlap(room) is overlaps


def test_a_global_without_a_use_lies_between_others_of_its_layout() -> None:
    uses = [function({"board": READ, "count": WRITE}, {0x200: READ, 0x266: WRITE})] * 3
    found = KnownUses(uses, {"board": 100, "spare": 2, "count": 2}).globals()
    assert found["spare"].candidates[0].address == 0x264
    assert found["spare"].is_certain
    assert found["spare"].neighbours == 2
    alone = [function({"board": READ}, {0x200: READ})] * 3
    behind = KnownUses(alone, {"board": 100, "spare": 2}).globals()
    assert behind["spare"].candidates[0].address == 0x264
    assert not behind["spare"].is_certain  # nothing shows where the file ends


@pytest.mark.parametrize("layout", [None, (20.0, 1.0)])
def test_no_vote_against_one_is_not_certain(layout: tuple[float, float] | None) -> None:
    places = (PlaceOfGlobal(0x200, 0.0), PlaceOfGlobal(0x300, 1.0))
    assert not MatchedGlobal("one", places, layout, neighbours=2).is_certain
    assert not MatchedGlobal("one", places[:1], None, neighbours=2).is_certain


def test_two_globals_are_never_certain_of_one_place() -> None:
    uses = [function({"one": READ}, {0x200: READ}), function({"two": READ}, {0x200: READ})]
    found = KnownUses(uses, {"one": 2, "two": 2}).globals()
    certain = [one.candidates[0].address for one in found.values() if one.is_certain]
    assert len(certain) == len(set(certain)) == 1
