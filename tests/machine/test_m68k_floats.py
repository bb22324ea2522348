"""What a program of a 68040 reads in FPSR is what the processor leaves.

M68000PM/AD, 1.2.3, has the bytes of FPSR; section 5, what each instruction sets there.
"""

from __future__ import annotations

import pytest

from emu.machine import CPUS, BareMachine, GuestFault
from emu.machine.engine.fast_engine import FastEngine
from emu.machine.engine.hosted_engine import HostedEngine
from emu.machine.memory.memory import PAGE, GuestMemory, MemoryRegion
from tests.machine.routines import program

STATUS = "f200a800"  # FMOVE.L FPSR,D0
ONE, ZERO, MINUS_ONE = (f"f23c5000{word}" for word in ("0001", "0000", "ffff"))  # FMOVE.W #n,FP0
BY_ZERO, BY_THREE = "f23c50200000", "f23c50200003"  # FDIV.W #n,FP0
HUGE, PUSHED = "f23c480047cf0000", "f2277400508f"
SEVENTEEN, MINUS_SEVENTEEN = "f23c50000011", "f23c5000ffef"
ROUTINES = {
    "Zero": (ONE + BY_ZERO + STATUS, 0x02000410),
    "Inexact": (ONE + BY_THREE + STATUS, 0x00000208),
    # The accrued exceptions stay when the others go
    "Accrued": (ONE + BY_THREE + ONE + STATUS, 0x00000008),
    "Operand": (ZERO + BY_ZERO + STATUS, 0x01002080),
    # FMOVE.S of a signalling NaN
    "Signalling": ("f23c44007fa00000" + STATUS, 0x01004080),
    # FMOVE.X of a denormal number; FMOVECR of 1
    "Denormal": ("f23c4800000000004000000000000000" + STATUS, 0x00000800),
    "Constant": ("f2005c32" + STATUS, 0),
    # FMOD.W #3 and FREM.W #3: quotients 5, -5 and 6, remainders 2, -2 and -1
    "Modulo": (SEVENTEEN + "f23c50210003" + STATUS, 0x00050000),
    "NegativeModulo": (MINUS_SEVENTEEN + "f23c50210003" + STATUS, 0x08850000),
    # FMOD by 0: no exception of the quotient
    "ByZero": (SEVENTEEN + "f23c50210000" + STATUS, 0x01002080),
    # FMOVE.D #1e20; FREM.W #3: its quotient fits no long word, and is exact all the same
    "Long": ("f23c54004415af1d78b58c40" + "f23c50250003" + STATUS, 0x00550000),
    "Remainder": (SEVENTEEN + "f23c50250003" + STATUS, 0x08060000),
    # FMOVE.W #0,FP1 sets Z; FMOVE.L FP0,D1 of -1 leaves it
    "Stored": (MINUS_ONE + "f23c50800000" + "f2016000" + STATUS, 0x04000000),
    # FMOVE.D of 2**2000, which alone is exact, and of (1 + 2**-63) * 2**2000, to -(A7); ADDQ.L
    "Huge": (HUGE + "8000000000000000" + PUSHED + STATUS, 0x00001048),
    "HugeInexact": (HUGE + "8000000000000001" + PUSHED + STATUS, 0x00001248),
    # 0 / 0; FBGT over nothing; FSGT D1
    "Branch": (ZERO + BY_ZERO + "f2920002" + STATUS, 0x0100A080),
    "Set": (ZERO + BY_ZERO + "f2410012" + STATUS, 0x0100A080),
    # 1 / 3; FMOVE.L #0,FPSR
    "Cleared": (ONE + BY_THREE + "f23c880000000000" + STATUS, 0),
    # FDIV.W (6,PC),FP0: the word behind RTS is 0
    "Relative": (ONE + "f23a50200008" + STATUS + "4e75 0000", 0x02000410),
}
REFUSED = {
    # FSMOVE of 2**8192; FMOVECR of pi; FMOVE.L of a NaN to D1; FDIV by zero, and then infinity + 1
    "Range": ("f23c48405fff00008000000000000000" + STATUS, "does not round its exponent"),
    "Pi": ("f2005c00" + STATUS, "whether a constant is inexact"),
    "Integer": (ZERO + BY_ZERO + "f2016000" + STATUS, "another integer for this NaN"),
    "Infinity": (ONE + BY_ZERO + "f23c50220001" + STATUS, "an infinity for no number"),
    # FMOVE.X of a denormal number; FMUL.W #2
    "Denormals": ("f23c4800000000004000000000000000" + "f23c50230002" + STATUS, "twice as much"),
    # 0 / 0; FMOD.W #3
    "NoNumber": (ZERO + BY_ZERO + "f23c50210003" + STATUS, "which exceptions it has met"),
    # FDBGT D1
    "Counted": (ONE + "f24900120000" + STATUS, "a conditional of the FPU with predicate 18"),
}
TAKEN = {
    # FMOVE.L #$0400,FPCR: division by zero is enabled
    "Enabled": ("f23c900000000400" + ONE + BY_ZERO + STATUS, "division by zero"),
}


@pytest.fixture(scope="module")
def machine() -> BareMachine:
    routines = {name: text + "4e75" for name, (text, _) in (ROUTINES | REFUSED | TAKEN).items()}
    return BareMachine(program("m68k", routines, {}, b""), CPUS["68040"])


@pytest.mark.parametrize("name", ROUTINES)
def test_a_program_reads_what_the_processor_leaves(machine: BareMachine, name: str) -> None:
    wanted = ROUTINES[name][1]
    assert f"{machine.call(name) & 0xFFFFFFFF:08x}" == f"{wanted:08x}"
    trace, registers = machine.calls.trace(machine.program.function(name), machine.pristine)
    assert (trace.completed, registers["d0"]) == (True, wanted)


@pytest.mark.parametrize("name", REFUSED)
def test_what_the_engine_does_not_tell_is_its_fault(machine: BareMachine, name: str) -> None:
    with pytest.raises(GuestFault, match=REFUSED[name][1]) as caught:
        machine.call(name)
    assert caught.value.fault.kind == "engine"


def test_an_enabled_exception_is_taken(machine: BareMachine) -> None:
    with pytest.raises(GuestFault, match=r"floating-point exception \(division by zero") as caught:
        machine.call("Enabled")
    assert caught.value.fault.kind == "exception"


def test_each_branch_goes_where_the_engine_alone_goes() -> None:
    """Predicates from 16 on, of -1, 0, 1 and no number; of a program that reads FPSR, and not."""
    # FBcc to MOVEQ #2,D0; MOVEQ #1,D0; BRA.S to what follows
    numbers = (MINUS_ONE, ZERO, ONE, ZERO + BY_ZERO)
    codes = {
        f"Branch{predicate}of{n}": f"{number}f2{0x80 | predicate:02x}0006700160027002"
        for predicate in range(16, 32)
        for n, number in enumerate(numbers)
    }
    alone = {name: code + "4e75" for name, code in codes.items()}
    seeing = {name: code + STATUS.replace("f200", "f201") + "4e75" for name, code in codes.items()}
    results = []
    for routines in (alone, seeing):
        branching = BareMachine(program("m68k", routines, {}, b""), CPUS["68040"])
        results.append([branching.call(name) for name in routines])
    assert results[0] == results[1]
    assert set(results[0]) == {1, 2}


CODE, LATER = 0x10000, 0x20000
END = LATER + 0x100
REGIONS = (
    MemoryRegion("code", CODE, PAGE, writable=False, executable=True),
    MemoryRegion("later", LATER, PAGE, writable=True, executable=True),
)
READS = bytes.fromhex(STATUS + "4e71" * 4)


def prepared() -> GuestMemory:
    """Code that divides 1 by 0 and goes on in a region that can change."""
    memory = GuestMemory(REGIONS)
    memory.write(CODE, bytes.fromhex(f"{ONE}{BY_ZERO}4ef9{LATER:08x}"))
    memory.write(LATER, bytes.fromhex("4e71" * 0x80))
    return memory


def test_code_that_comes_later_reads_right_exceptions_from_the_next_run_on() -> None:
    memory = prepared()
    memory.write(LATER, READS)
    engine = FastEngine(CPUS["68040"], memory)
    engine.run(CODE, END)
    assert engine.refused is not None
    assert "before this code was loaded" in str(engine.refused)
    engine.run(CODE, END)
    assert engine.refused is None
    assert engine._special.execution.state.register("d0") == 0x02000410


def test_a_program_that_does_not_read_fpsr_runs_at_full_speed() -> None:
    engine = FastEngine(CPUS["68040"], prepared())
    executed: list[int] = []
    engine._special.execution.on_executed = lambda address, size: executed.append(address)
    engine.run(CODE, END)
    assert not executed


def test_a_whole_program_reads_right_exceptions() -> None:
    memory = prepared()
    memory.write(LATER, READS)
    engine = HostedEngine(CPUS["68040"], memory, END)
    for _ in range(2):
        engine.begin(CODE)
        engine.run()
    assert engine.registers[engine.index["d0"]] == 0x02000410
