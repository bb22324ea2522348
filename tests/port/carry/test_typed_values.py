"""Values of the new source's types in the old program's memory, and what pointers lead to."""

from __future__ import annotations

import numpy as np
import pytest

from emu.port.carry.case_files import RecordedCase
from emu.port.carry.leaves import elements, leaves_of, value_of
from emu.port.carry.pointers import BYTE, PointerTarget, StrayError, UntypedError, with_sizes
from emu.port.carry.rooms import CasePlace, CaseScene
from emu.program import Field, GuestType
from emu.program.model.types import array_of, struct_of

SHORT = GuestType("short int", "integer", np.dtype(">i2"))
POINTER = GuestType("short int*", "pointer", np.dtype(">u4"), target="short int")
SQUARE = struct_of("Square", (Field("row", SHORT, 0), Field("col", SHORT, 2)), 4)
NODE = struct_of("Node", (Field("at", SQUARE, 0), Field("next", POINTER, 4)), 8)


def test_numbers_of_structs_are_found_by_their_members() -> None:
    leaves = leaves_of(NODE)
    assert [(leaf.path, leaf.is_number) for leaf in leaves] == [
        ("at.row", True),
        ("at.col", True),
        ("next", False),
    ]
    assert leaves[1].spans == (range(2, 4),)
    pair = array_of(NODE, (2,))
    assert leaves_of(pair)[1].spans == (range(2, 4), range(10, 12))
    data = bytes.fromhex("0001 fffe 00000000 0003 0004 00000000")
    assert value_of(leaves[1], pair, data) == [-2, 4]
    assert value_of(leaves[1], NODE, data[:8]) == -2
    assert elements(NODE, 1) is NODE and elements(NODE, 2).shape == (2,)


def test_memory_goes_to_the_pointer_before_it() -> None:
    targets = [PointerTarget("list", SQUARE, 0x100), PointerTarget("text", BYTE, 0x120)]
    found = list(with_sizes(targets, [0x100, 0x101, 0x104, 0x122], 0x1000))
    assert [(one.name, one.size, one.count) for one in found] == [("list", 5, 2), ("text", 3, 3)]
    assert next(with_sizes(targets, [], 0x1000)).count == 1


def test_memory_that_nothing_leads_to_and_memory_of_two_pointers() -> None:
    targets = [PointerTarget("list", SQUARE, 0x100), PointerTarget("text", BYTE, 0x102)]
    with pytest.raises(StrayError, match="0x90"):
        list(with_sizes(targets, [0x90], 0x1000))
    with pytest.raises(StrayError, match="0x2000"):
        list(with_sizes(targets, [0x2000], 0x1000))
    with pytest.raises(UntypedError, match="list and text lead to the same memory"):
        list(with_sizes(targets, [0x100, 0x102], 0x1000))


def test_what_all_calls_share_stands_once() -> None:
    (leaf,) = leaves_of(SHORT)
    room = CasePlace("count", SHORT, "argument", True, (("count", leaf),))
    result = CasePlace("return", SHORT, "result", observed=(("result", leaf),))
    scenes = [CaseScene({"count": 1}, {"result": n}) for n in (2, 3)]
    case = RecordedCase("sum-up", "SumUp", "CODE 1+0x4", "0" * 64, {}, (room, result), scenes)
    files = {name: content.decode() for name, content in case.files().items()}
    assert '"alike": {"given":{"count":1},"left":{}}' in files["sum_up_calls.json"]
    assert '{"given":{},"left":{"result":3}}' in files["sum_up_calls.json"]
    assert "  count: count\n" in files["case.yaml"] and "  return: result\n" in files["case.yaml"]
