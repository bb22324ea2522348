"""What a program of a 601 sees of floating-point status is what the processor leaves.

PowerPC Architecture, Book I, chapter 4, has the rules.
"""

from __future__ import annotations

import struct

import pytest

from emu.machine import CPUS, BareMachine, GuestFault
from emu.machine.engine.fast_engine import FastEngine
from emu.machine.engine.hosted_engine import HostedEngine
from emu.machine.memory.memory import PAGE, GuestMemory, MemoryRegion
from tests.machine.routines import DATA, program

NUMBERS = {
    "one": 0x3FF0000000000000,
    "tiny": 0x3CA8000000000000,  # 1.5 * 2**-53
    "single": 0x36A0000000000000,  # the least single number
    "nan": 0x7FF8000000000000,
    "many": 0x41E0000000000000,  # 2**31
    "least": 0x0010000000000000,
    "most": 0x7FEFFFFFFFFFFFFF,
    "signalling": 0x7FF4000000000000,
    # The product of these two is 1 + 2**-24, between two single numbers; then 2**-80
    "factor": 0x40D8584000000000,
    "other": 0x3F05080000000000,
    "small": 0x3AF0000000000000,
}


def load(register: int, name: str) -> str:
    """Lfd of a number of the data, whose address is in r2."""
    return f"{0xC8020000 | register << 21 | 8 * list(NUMBERS).index(name):08x}"


END_OF_ROUTINE = "ff00010c ff80010c 4e800020"  # mtfsfi 6,0; mtfsfi 7,0; blr: modes are preserved
# mffs f0; stfd f0,-8(r1); lwz r3,-4(r1)
STATUS = f"fc00048e d801fff8 8061fffc {END_OF_ROUTINE}"
# stfd f1,-8(r1); lwz r3,-8(r1) or -4(r1)
UPPER, LOWER = (f"d821fff8 8061fff{digit} {END_OF_ROUTINE}" for digit in "8c")
# mfcr r3; rlwinm r3,r3,0,4,7 or 24,27: field 1 or 6
FIELD_1, FIELD_6 = (f"7c600026 5463{bits} {END_OF_ROUTINE}" for bits in ("010e", "0636"))
UP = "ff80210c"  # mtfsfi 7,2
# mtfsb1 24, 25, 26, 27: exceptions are enabled
INVALID, OVERFLOW, UNDERFLOW, ZERO = "ff00004c", "ff20004c", "ff40004c", "ff60004c"
MOVES = "ff80010c"  # mtfsfi 7,0: the program moves FPSCR
ROUTINES = {
    # fadd f1,f2,f3 increments: FR and FI
    "Fr": (f"{load(2, 'one')} {load(3, 'tiny')} fc22182a {STATUS}", 0x82064000),
    # fadds f1,f2,f2 gives a denormal single number
    "Class": (f"{load(2, 'single')} ec22102a {STATUS}", 0x00014000),
    # f1 is 1; fsub f2,f1,f1; fdiv f1,f2,f2 with VE: the target stays
    "Invalid": (f"{INVALID} {load(1, 'one')} fc410828 fc221024 {UPPER}", 0x3FF00000),
    # the same, and FPSCR
    "Zeros": (f"{INVALID} {load(1, 'one')} fc410828 fc221024 {STATUS}", 0xE0202080),
    # 1 / 0 with ZE
    "Divided": (f"{ZERO} {load(1, 'one')} fc410828 fc211024 {STATUS}", 0xC4002010),
    # fnmadd f1,f2,f2,f3 rounds up, and then negates
    "Negated": (f"{UP} {load(2, 'one')} {load(3, 'tiny')} fc2218be {LOWER}", 1),
    # fcmpo cr0,f2,f2 of a NaN leaves the class bit
    "Compared": (f"{load(2, 'nan')} fc021040 {STATUS}", 0xA0081000),
    # fcmpo of a signalling NaN with VE: no VXVC; and the field of the condition register
    "Signalling": (f"{INVALID} {load(2, 'signalling')} ff021040 {FIELD_6}", 0x10),
    # fmul. f1,f2,f3 of a tiny result with UE: the exponent is larger by 1,536
    "Wrapped": (f"{UNDERFLOW} {load(2, 'least')} fc2200b3 {UPPER}", 0x20300000),
    # fadd. f1,f2,f2 overflows with OE: FX, FEX and OX in field 1
    "Recorded": (f"{OVERFLOW} {load(2, 'most')} fc22102b {FIELD_1}", 0x0D000000),
    # fctiwz f1,f2 of 2**31
    "Large": (f"{MOVES} {load(2, 'many')} fc20101e {LOWER}", 0x7FFFFFFF),
    # mcrfs cr6,0 after an overflow: FX and OX are read and cleared, XX is not
    "Cleared": (f"{load(2, 'most')} fc22102a ff000080 {STATUS}", 0x02025000),
    # mtfsb1 6 sets an exception, and so FX; mtfsb0 0 clears FX alone
    "Set": (f"fcc0004c {STATUS}", 0x82000000),
    "Reset": (f"fcc0004c fc00008c {STATUS}", 0x02000000),
    # mtfsf 1,f2 of 1: the lowest four bits are those of the number, 0
    "Field": (f"{UP} {load(2, 'one')} fc02158e {STATUS}", 0),
    # fmadds f1,f2,f3,f4 rounds once
    "Fused": (
        f"{MOVES} {load(2, 'factor')} {load(3, 'other')} {load(4, 'small')} ec2220fa {LOWER}",
        0x20000000,
    ),
}


@pytest.fixture(scope="module")
def machine() -> BareMachine:
    code = {name: text for name, (text, _) in ROUTINES.items()}
    data = struct.pack(f">{len(NUMBERS)}Q", *NUMBERS.values())
    return BareMachine(program("powerpc", code, {"r2": DATA}, data), CPUS["601"])


@pytest.mark.parametrize("name", ROUTINES)
def test_a_program_sees_what_the_processor_leaves(machine: BareMachine, name: str) -> None:
    result = machine.call(name)
    assert f"{result & 0xFFFFFFFF:08x}" == f"{ROUTINES[name][1]:08x}"
    trace, registers = machine.calls.trace(machine.program.function(name), machine.pristine)
    assert (trace.completed, registers["r3"]) == (True, ROUTINES[name][1])


CODE, LATER, STACK = 0x10000, 0x20000, 0x30000
ADD_AND_GO = "c8210000 c8410008 fc21102a 7c6903a6 4e800420"  # lfd f1; lfd f2; fadd; mtctr r3; bctr
END = LATER + 0x100
REGIONS = (
    MemoryRegion("code", CODE, PAGE, writable=False, executable=True),
    MemoryRegion("later", LATER, PAGE, writable=True, executable=True),
    MemoryRegion("stack", STACK, PAGE, writable=True, executable=False),
)


def prepared() -> GuestMemory:
    """Code that adds and goes on in a region that can change: there FPSCR is read."""
    memory = GuestMemory(REGIONS)
    start = f"3c20{STACK >> 16:04x} 3c60{LATER >> 16:04x}"  # lis r1; lis r3
    memory.write(CODE, bytes.fromhex(start + ADD_AND_GO))
    memory.write(STACK, struct.pack(">2Q", NUMBERS["one"], NUMBERS["tiny"]))
    memory.write(LATER, bytes.fromhex("60000000" * 64))
    return memory


READ_STATUS = bytes.fromhex("fc60048e d8610010 60000000")  # mffs f3; stfd f3,16(r1); nop


def status(memory: GuestMemory) -> int:
    return int.from_bytes(memory.view(STACK + 20, 4).tobytes(), "big")


def test_code_that_comes_later_sees_the_status_from_the_next_run_on() -> None:
    memory = prepared()
    memory.write(LATER, READ_STATUS)
    engine = FastEngine(CPUS["601"], memory)
    engine.run(CODE, END)
    assert engine.refused is not None
    assert engine.refused.address == LATER
    assert "before this code was loaded" in str(engine.refused)
    engine.run(CODE, END)
    assert engine.refused is None
    assert status(memory) == 0x82064000


def test_code_that_python_has_changed_sees_the_status() -> None:
    memory = prepared()
    engine = FastEngine(CPUS["601"], memory)
    engine.run(CODE, END)
    memory.write(LATER, READ_STATUS)
    engine.forget_code(LATER, len(READ_STATUS))
    engine.run(CODE, END)
    assert engine.refused is None
    assert status(memory) == 0x82064000


def test_a_whole_program_sees_the_status() -> None:
    memory = prepared()
    memory.write(LATER, READ_STATUS)
    engine = HostedEngine(CPUS["601"], memory, END)
    for _ in range(2):
        engine.begin(CODE)
        engine.run()
    assert status(memory) == 0x82064000


def test_a_whole_program_runs_at_full_speed_until_it_sets_a_mode() -> None:
    """What it reads has the flags that stay set; from then on FR and the class are kept, too."""
    memory = prepared()
    memory.write(LATER, READ_STATUS)
    engine = HostedEngine(CPUS["601"], memory, END, shows_status_late=True)
    executed: list[int] = []
    engine.special.execution.on_executed = lambda address, size: executed.append(address)
    engine.begin(CODE)
    engine.run()
    assert executed == [LATER], "no arithmetic"
    assert status(memory) & 0x82000000 == 0x82000000, "FX and XX"
    memory.write(LATER, bytes.fromhex(UP) + READ_STATUS)
    engine.forget_code(LATER, 64)
    executed.clear()
    for _ in range(2):
        engine.begin(CODE)
        engine.run()
    assert executed[:4] == [LATER, LATER + 4, CODE + 16, LATER]
    assert status(memory) & 0x60003 == 0x60002, "FR and FI of what was rounded up"


def test_a_program_that_cannot_see_the_status_runs_at_full_speed() -> None:
    memory = prepared()
    engine = FastEngine(CPUS["601"], memory)
    executed: list[int] = []
    engine._special.execution.on_executed = lambda address, size: executed.append(address)
    engine.run(CODE, END)
    assert not executed
    memory.write(LATER, READ_STATUS)
    engine.forget_code(LATER, len(READ_STATUS))
    engine.run(CODE, END)
    assert executed == [CODE + 16, LATER]


def test_an_enabled_exception_is_taken_where_msr_says_so() -> None:
    # mfmsr r3; ori r3,r3,0x0800; mtmsr r3; mtfsb1 26; fadd f1,f2,f2 with f2 infinite minus itself
    taken = f"7c6000a6 60630800 7c600124 {INVALID} {load(2, 'signalling')} fc22102a 4e800020"
    data = struct.pack(f">{len(NUMBERS)}Q", *NUMBERS.values())
    machine = BareMachine(program("powerpc", {"Taken": taken}, {"r2": DATA}, data), CPUS["601"])
    with pytest.raises(GuestFault, match="program interrupt") as caught:
        machine.call("Taken")
    assert caught.value.fault.location.offset == 20
