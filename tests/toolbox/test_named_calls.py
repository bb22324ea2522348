"""68K code that calls a routine by its name, as macproof's glue does."""

from __future__ import annotations

import pytest

from emu.toolbox.guest.findings import UnknownRoutineError
from tests.toolbox.conftest import make_mac, run_code


def calling(name: bytes, arguments: str = "", result: str = "") -> bytes:
    """Push arguments and the name's address, execute the trap word, take the result."""
    before = bytes.fromhex(arguments)
    behind = bytes.fromhex(f"aff4 {result} 4e75")
    return before + bytes.fromhex(f"487a {2 + len(behind):04x}") + behind + name + b"\0"


def test_a_routine_without_a_trap_gives_its_result() -> None:
    mac = make_mac()
    result = run_code(mac, calling(b"GetMBarHeight", "7000 4267", "301f"))
    assert result["d0"] == mac.guest.u16(0xBAA) == 20
    assert mac.calls["GetMBarHeight"] == 1


def test_its_arguments_are_taken_from_the_stack() -> None:
    mac = make_mac()
    block = mac.memory.new_pointer(4)
    mac.guest.put32(block, 0x01020304)
    run_code(mac, calling(b"BlockZero", f"2f3c {block + 1:08x} 4878 0002"))
    assert mac.guest.u32(block) == 0x01000004


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (calling(b"NoSuch"), "called the routine 'NoSuch' by its name, which"),
        (calling(b"qsort"), "called the routine 'qsort' by its name, which"),
        (calling(b"x\xff\n" * 200), r"called the routine 'x\\\\xff"),
        (bytes.fromhex("42a7 aff4 4e75"), "called the routine '"),
        (bytes.fromhex("4879 fffffff0 aff4 4e75"), "called the routine '' by"),
        (calling(b"SpeakString"), "called SpeakString of the Speech Manager, which"),
    ],
)
def test_a_name_that_is_none_ends_the_run(code: bytes, words: str) -> None:
    with pytest.raises(UnknownRoutineError, match=words):
        run_code(make_mac(), code)
