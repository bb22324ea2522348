"""Addresses, caches, queues, the debugger, strings and what Gestalt says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.toolbox.guest.findings import GuestStopError, ProgramExit
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.text.strings import folded
from emu.toolbox.records.system import QHdr, SysEnvRec
from tests.toolbox.conftest import answering, do, make_mac, run_at, run_code


def checks(mac: Macintosh) -> list[str]:
    return [finding.check for finding in mac.outputs.findings.values()]


def string(mac: Macintosh, raw: bytes) -> int:
    """The address of a Pascal string."""
    place = mac.memory.new_pointer(256)
    mac.guest.put_pascal_string(place, raw)
    return place


# -- Gestalt -----------------------------------------------------------------------------------


def gestalt(mac: Macintosh, selector: str) -> tuple[int, int]:
    """Error and answer."""
    if mac.cpu.architecture == "m68k":
        number = int.from_bytes(selector.encode(), "big")
        registers = run_code(mac, f"203c{number:08x} a1ad 4e75")  # move.l #selector,d0; _Gestalt
        error = registers["d0"]
        return error - (error >> 31 << 32), registers["a0"]
    place = mac.memory.new_pointer(4)
    error = do(mac, "Gestalt", selector, place)
    return error, mac.guest.u32(place)


def test_the_system_is_7_1(mac: Macintosh) -> None:
    assert gestalt(mac, "sysv") == (0, 0x0710)


@pytest.mark.parametrize(
    ("cpu", "selector", "answer"),
    [
        ("68000", "proc", 1),
        ("68040", "proc", 5),
        ("68040", "cput", 4),
        ("68040", "sysa", 1),
        ("601", "cput", 0x101),
        ("601", "sysa", 2),
        ("601", "cfrg", 1),
        ("68040", "qd  ", 0),
        ("68040", "scri", 0x0710),
    ],
)
def test_the_machine(cpu: str, selector: str, answer: int) -> None:
    assert gestalt(make_mac(cpu), selector) == (0, answer)


def test_an_unknown_selector_is_an_error(mac: Macintosh) -> None:
    error, answer = gestalt(mac, "a/ux")
    assert error == -5551
    assert answer == 0 or mac.cpu.architecture != "m68k"  # what MacApp looks at


def test_a_program_can_answer_itself(mac_68k: Macintosh) -> None:
    mac = mac_68k
    function = mac.memory.new_pointer(32)
    # FUNCTION (selector: OSType; VAR response: LONGINT): OSErr: answers 77, no error
    mac.guest.write(
        function,
        bytes.fromhex("206f0004 20bc0000004d 426f000c 205f 508f 4ed0"),
    )
    number = int.from_bytes(b"mine", "big")
    install = f"203c{number:08x} 207c{function:08x} a3ad 4e75"  # _NewGestalt
    assert run_code(mac, install)["d0"] == 0
    assert gestalt(mac, "mine") == (0, 77)
    assert run_code(mac, install)["d0"] & 0xFFFF == -5552 & 0xFFFF


# -- the machine and its addresses -------------------------------------------------------------


def test_addresses_have_32_bits(mac: Macintosh) -> None:
    assert do(mac, "StripAddress", 0x81234567) == 0x81234567
    assert do(mac, "GetMMUMode") == 1


def test_24_bit_mode_is_refused(mac_68k: Macintosh) -> None:
    assert run_code(mac_68k, "7001 a05d 4e75")["d0"] == 1
    with pytest.raises(GuestStopError, match="24-bit"):
        run_code(mac_68k, "7000 a05d 4e75")


@pytest.mark.parametrize(
    ("cpu", "name"),
    [
        ("601", "FlushCodeCache"),
        ("601", "FlushInstructionCache"),
        ("601", "FlushCodeCacheRange"),
        ("601", "MakeDataExecutable"),
        ("68040", "FlushCodeCache"),
        ("68040", "HWPriv 1"),
        ("68040", "HWPriv 3"),
        ("68040", "HWPriv 9"),
    ],
)
def test_flushing_a_cache_forgets_old_code(cpu: str, name: str) -> None:
    mac = make_mac(cpu)
    result = "d0" if cpu == "68040" else "r3"
    old, new = answering(mac, 1), answering(mac, 2)
    mac.memory.new_pointer(300_000)
    place = mac.memory.new_pointer(len(old))
    mac.guest.write(place, old)
    assert run_at(mac, place)[result] == 1
    mac.guest.memory.write(place, new)
    if name.startswith("HWPriv"):
        selector = int(name[-1])
        mac.engine.registers[mac.engine.index["a1"]] = len(new)
        assert do(mac, "HWPriv", selector, place) == 0
    elif name in ("FlushCodeCacheRange", "MakeDataExecutable"):
        do(mac, name, place, len(new))
        do(mac, name, 0xFFFFFFF0, 0x7FFFFFFF)
        do(mac, name, place, -5)
    else:
        do(mac, name)
    assert run_at(mac, place)[result] == 2


def test_caches_are_flushed_by_traps(mac_68k: Macintosh) -> None:
    run_code(mac_68k, "7001 a198 7003 a198 7009 a198 a0bd 4e75")
    with pytest.raises(GuestStopError, match="HWPriv"):
        run_code(mac_68k, "7020 a198 4e75")


def test_the_environment_is_described(mac: Macintosh) -> None:
    record = mac.memory.new_pointer(16)
    assert do(mac, "SysEnvirons", 2, record) == 0
    assert mac.guest.i16(record) == 2
    assert SysEnvRec(mac.guest, record).systemVersion == 0x0710
    assert do(mac, "SysEnvirons", 3, record) == -5502
    assert do(mac, "SysEnvirons", 0, record) == -5501


# -- queues ------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), max_size=30))
def test_queues_behave_like_lists(steps: list[tuple[bool, int]]) -> None:
    mac = SHARED
    header = mac.memory.new_pointer(10, clear=True)
    elements = [mac.memory.new_pointer(8, clear=True) for _ in range(6)]
    model: list[int] = []
    for insert, number in steps:
        element = elements[number]
        if insert and element not in model:
            do(mac, "Enqueue", element, header)
            model.append(element)
        elif not insert:
            assert do(mac, "Dequeue", element, header) == (0 if element in model else -1)
            model = [one for one in model if one != element]
        found, place = [], QHdr(mac.guest, header).qHead
        while place:
            found.append(place)
            place = mac.guest.u32(place)
        assert found == model
        assert QHdr(mac.guest, header).qTail == (model[-1] if model else 0)
    for one in (header, *elements):
        mac.memory.dispose_pointer(one)


SHARED = make_mac()


def test_a_queue_that_bites_its_tail_does_not_hang(mac: Macintosh) -> None:
    header, one = mac.memory.new_pointer(10, clear=True), mac.memory.new_pointer(8)
    QHdr(mac.guest, header).qHead = one
    mac.guest.put32(one, one)
    assert do(mac, "Dequeue", 0x4444, header) == -1


# -- the debugger and the end ------------------------------------------------------------------


def test_the_debugger_is_a_finding_and_the_program_goes_on(mac: Macintosh) -> None:
    do(mac, "Debugger")
    do(mac, "DebugStr", string(mac, b"here"))
    assert checks(mac) == ["debugger", "debugger"]
    assert any("here" in finding.problem for finding in mac.outputs.findings.values())


def test_the_debugger_by_its_trap_words(mac_68k: Macintosh) -> None:
    place = string(mac_68k, b"x")
    run_code(mac_68k, f"a9ff 2f3c{place:08x} abff 4e75")
    assert checks(mac_68k) == ["debugger", "debugger"]


@pytest.mark.parametrize("name", ["ShutDwnPower", "ShutDwnStart"])
def test_shutting_down_ends_the_program(mac: Macintosh, name: str) -> None:
    with pytest.raises(ProgramExit):
        do(mac, name)


def test_the_bomb_stops_the_program(mac: Macintosh) -> None:
    with pytest.raises(GuestStopError, match="SysError 12"):
        do(mac, "SysError", 12)


# -- strings -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "case", "marks", "equal"),
    [
        (b"Mac", b"mac", False, True, True),
        (b"Mac", b"mac", True, True, False),
        (b"M\x8ac", b"m\x80c", False, True, True),  # a and A with a diaeresis
        (b"M\x8ac", b"mac", False, True, False),
        (b"M\x8ac", b"mac", False, False, True),
        (b"", b"", False, True, True),
        (b"a", b"ab", False, True, False),
    ],
)
def test_strings_are_equal(
    first: bytes, second: bytes, case: bool, marks: bool, equal: bool
) -> None:
    native = make_mac("601")
    places = [string(native, raw) for raw in (first, second)]
    assert do(native, "EqualString", *places, case, marks) is equal
    mac = make_mac("68040")
    one, other = (string(mac, raw) + 1 for raw in (first, second))
    word = 0xA03C | 0x400 * case | 0x200 * (not marks)
    lengths = len(first) << 16 | len(second)
    code = f"207c{one:08x} 227c{other:08x} 203c{lengths:08x} {word:04x} 4e75"
    assert run_code(mac, code)["d0"] == int(not equal)


@given(st.binary(max_size=40), st.booleans(), st.booleans())
def test_folding_keeps_lengths_and_is_final(text: bytes, case: bool, marks: bool) -> None:
    once = folded(text, case=case, marks=marks)
    assert len(once) == len(text)
    assert folded(once, case=case, marks=marks) == once


def test_strings_are_ordered() -> None:
    mac = make_mac("601")
    low, high = string(mac, b"abc"), string(mac, b"ABD")
    assert do(mac, "RelString", low, high, False, True) == -1
    assert do(mac, "RelString", high, low, False, True) == 1
    assert do(mac, "RelString", low, low, False, True) == 0


def test_letters_become_capitals(mac_68k: Macintosh) -> None:
    place = string(mac_68k, b"na\x95ve 1")  # i with a diaeresis
    run_code(mac_68k, f"207c{place + 1:08x} 7007 a054 4e75")
    assert mac_68k.guest.pascal_string(place) == b"NA\xecVE 1"
    run_code(mac_68k, f"207c{place + 1:08x} 7007 a254 4e75")
    assert mac_68k.guest.pascal_string(place) == b"NAIVE 1"
