"""Method calls of Object Pascal through the ROM."""

from __future__ import annotations

import pytest

from emu.toolbox.macintosh import Macintosh
from tests.toolbox.conftest import do, make_mac, run_code

_TRAP = 0x1F8
"""MacApp asks for it by its number in the table of 1984."""

# Classes 2, 4 (a kind of 2), 6 (of 4) and 8 (of 2): the superclass of each.
_CLASSES = bytes.fromhex("0000 0000 0002 0004 0002")
_ABOVE_A5 = 0x80


def _mac() -> Macintosh:
    """Methods 2 and 4 answer 2 and 4 in D3; what is called for a missing method answers 9."""
    mac = make_mac("68040")
    guest, a5 = mac.guest, mac.layout.a5
    for place, answer in ((0, 2), (8, 4), (16, 9)):
        # MOVEQ #answer,D3; MOVEA.L (A7)+,A0; ADDQ.L #4,A7; JMP (A0)
        guest.memory.write(
            a5 + _ABOVE_A5 + place, bytes([0x76, answer, *b"\x20\x5f\x58\x8f\x4e\xd0"])
        )
    classes = mac.memory.new_pointer(len(_CLASSES))
    guest.write(classes, _CLASSES)
    entry = mac.memory.new_pointer(4)
    guest.put32(entry, classes)
    guest.put32(0xBE8, a5 + _ABOVE_A5 + 16)
    guest.put32(0xBEC, entry)
    return mac


@pytest.mark.parametrize(("number", "answer"), [(2, 2), (4, 4), (6, 4), (8, 2), (0, 9)])
def test_a_method_is_that_of_the_nearest_class(number: int, answer: int) -> None:
    mac = _mac()
    thing = mac.memory.handle_from(number.to_bytes(2, "big"))
    dispatch = do(mac, "GetTrapAddress", _TRAP, trap=0xA146)
    table = bytes.fromhex("0001 00000000 0004 0088 0002 0080 0000")
    code = (
        bytes.fromhex("2f0a 6102 4e75")  # MOVE.L A2,-(A7); BSR.S selector; RTS
        + bytes.fromhex("4eb9")  # selector: JSR dispatch
        + dispatch.to_bytes(4, "big")
        + table
    )
    assert run_code(mac, code, a2=thing)["d3"] == answer
