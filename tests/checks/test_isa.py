"""What each processor has not, by hand; and every prebuilt program, which needs none of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from emu.checks.isa import MissingInstruction, check_block, is_checked, missing_instruction
from emu.checks.isa_model import NOTE, REFUTES, UNDECIDED, InstructionFinding
from emu.checks.isa_ppc import row_of
from emu.cycles.powerpc import ppc_opcodes
from emu.machine import CPUS, CodeBlock
from emu.program import Program, read_elf
from emu.program.instructions.disassembly import Code
from emu.toolchain.sources import mac_sources
from tests.rows import slow_but

AT = 0x1000


def _findings(cpu: str, code: str, address: int = AT) -> list[InstructionFinding]:
    return check_block(cpu, CodeBlock(address, bytes.fromhex(code)))


def _only(cpu: str, code: str) -> InstructionFinding:
    (found,) = _findings(cpu, code)
    return found


NEWER_THAN_A_68000 = {
    "extb.l d0": ("49c0", "extb.l", "68020"),
    "tst.l a0": ("4a88", "tst", "68020"),
    "tst.w #0": ("4a7c0000", "tst", "68020"),
    "cmpi.b #0,(d16,pc)": ("0c3a00000010", "cmpi", "68020"),
    "cas.l d0,d1,(a0)": ("0ed00040", "cas", "68020"),
    "movec vbr,d0": ("4e7a0801", "movec", "68010"),
    "bra.l": ("60ff00000010", "bra.l", "68020"),
    "move.b (a0,d1.w*2),d0": ("10301200", "move", "68020"),
    "move.b (4,a0,d1.w),d0 in the full format": ("103011200004", "move", "68020"),
    "move.b d0,(a0,d1.w*4)": ("11801400", "move", "68020"),
    "mulu.l d1,d0": ("4c010000", "mul.l", "68020"),
    "bfextu d0{0:8},d1": ("e9c01008", "bfextu", "68020"),
    "rtd #4": ("4e740004", "rtd", "68010"),
    "move ccr,d0": ("42c0", "move.from.ccr", "68010"),
    "link.l a6,#-8": ("480efffffff8", "link.l", "68020"),
    "chk.l d1,d0": ("4101", "chk.l", "68020"),
    "pack d0,d1,#0": ("83400000", "pack", "68020"),
    "trapeq": ("57fc", "trapcc", "68020"),
    "moves.b (a0),d0": ("0e100000", "moves", "68010"),
    "bkpt #0": ("4848", "bkpt", "68010"),
    "fadd.x fp0,fp0": ("f2000022", "fadd", "68040"),
    "fsin.x fp0": ("f200000e", "fsin", "68040"),
    "move16 (a0)+,(a1)+": ("f6209000", "move16", "68040"),
    "cpusha bc": ("f4f8", "cpusha", "68040"),
}


@pytest.mark.parametrize("name", NEWER_THAN_A_68000)
def test_a_68000_lacks_what_came_later(name: str):
    code, mnemonic, since = NEWER_THAN_A_68000[name]
    found = _only("68000", code)
    assert (found.address, found.mnemonic, found.weight) == (AT, mnemonic, REFUTES)
    assert "is no instruction of a 68000" in found.why
    assert f"the {since}" in found.why
    assert all(f.weight == UNDECIDED for f in _findings("68040", code))


@pytest.mark.parametrize(
    ("code", "mnemonic"),
    [
        ("f200000e", "fsin"),
        ("f2000030", "fsincos"),
        ("f2000001", "fint"),
        ("f2000003", "fintrz"),
        ("f2000010", "fetox"),
        ("f2000021", "fmod"),
        ("f2005c00", "fmovecr"),
        ("f2104c22", "fadd.p"),
        ("f2106c00", "fmove.p"),
        ("f2107c00", "fmove.p"),
    ],
)
def test_what_a_68040_leaves_to_software_is_undecided(code: str, mnemonic: str):
    found = _only("68040", code)
    assert (found.mnemonic, found.weight) == (mnemonic, UNDECIDED)
    assert "software" in found.why


@pytest.mark.parametrize("code", ["f2000022", "f2000004", "f2000024", "f2000040", "f2105422"])
def test_what_a_68040_computes_itself(code: str):
    assert not _findings("68040", code)


@pytest.mark.parametrize(
    "code",
    ["4e7a0802", "4e7a0008", "06d00000", "06c0", "f0100000", "ffff", "1e08", "f2000005"],
    ids=["caar", "no-register", "callm", "rtm", "mmu", "word", "move.b-a0", "fpu"],
)
def test_a_68040_lacks_what_was_taken_out_or_never_was(code: str):
    assert _only("68040", code).weight == REFUTES


def test_instructions_after_one_another_are_each_looked_at():
    """nop, extb.l d0, move.l #0x49c049c0,d0, extb.l d1, rts: the words of the constant are none."""
    found = _findings("68000", "4e71 49c0 203c49c049c0 49c1 4e75")
    assert [f.address for f in found] == [AT + 2, AT + 10]


def test_a_block_that_ends_within_an_instruction():
    assert not _findings("68000", "4e71 203c")
    assert _only("68000", "4c01").mnemonic == "mul.l"


@pytest.mark.parametrize("cpu", ["68000", "68040"])
def test_code_at_an_odd_address(cpu: str):
    (found,) = _findings(cpu, "4e75", AT + 1)
    assert "odd address" in found.why


@pytest.mark.parametrize(
    ("code", "mnemonic", "weight", "who"),
    [
        ("7c6428d6", "mul", NOTE, "POWER"),
        ("24640001", "dozi", NOTE, "POWER"),
        ("7c6002a6", "mfspr 0 (mq)", NOTE, "POWER"),
        ("7c6402a6", "mfspr 4 (rtcu)", NOTE, "POWER"),
        ("fc2220ee", "fsel", REFUTES, "successors"),
        ("7c6c42e6", "mftb", REFUTES, "successors"),
        ("7c0007ae", "stfiwx", REFUTES, "successors"),
        ("e8640000", "ld", REFUTES, "64-bit"),
        ("7c6429d2", "mulld", REFUTES, "64-bit"),
        ("10642800", "vector", REFUTES, "AltiVec"),
        ("7c6000a6", "mfmsr", REFUTES, "privileged"),
        ("7c600124", "mtmsr", REFUTES, "privileged"),
        ("7c7a02a6", "mfspr 26", REFUTES, "privileged"),
        ("7c6403a6", "mtspr 4", REFUTES, "no special register"),
        ("00000000", "0x00000000", REFUTES, "no instruction"),
    ],
)
def test_a_601(code: str, mnemonic: str, weight: str, who: str):
    found = _only("601", f"60000000{code}60000000")
    assert (found.address, found.mnemonic, found.weight) == (AT + 4, mnemonic, weight)
    assert who in found.why


def test_a_601_has_what_it_is_timed_for():
    """The tables of times name no instruction that the table of instructions does not have."""
    rows = {row.mnemonic: row for table in ppc_opcodes._tables() for row in table.values()}
    words = [o << 26 | x << 1 for o in (19, 31, 59, 63) for x in range(1024)]
    words += [o << 26 for o in range(64)]
    timed = {word: row for word in words if (row := ppc_opcodes.row_of(word)) is not None}
    assert {row.mnemonic for row in timed.values()} == rows.keys()
    specials = ("mfspr", "mtspr")
    for word, row in timed.items():
        known = row_of(word)
        assert known is not None, row
        assert known[0] == row.mnemonic or row.mnemonic in specials, (known, row)
        assert known[1] in ("601", "power"), row


def test_a_processor_without_a_table():
    # What is verified on one of these says that its instructions were not checked.
    assert not is_checked("mips")
    assert not _findings("mips", "ffffffff")
    assert {name for name in CPUS if not is_checked(name)} == {"68020", "68030", "mips"}


PREBUILT = sorted(mac_sources().glob("prebuilt/*.elf"))


@pytest.mark.slow
@pytest.mark.parametrize("cpu", slow_but(["601"], ["68000", "68040", "601"]))
def test_no_function_of_a_prebuilt_program_needs_another_processor(cpu: str):
    programs = [read_elf(path) for path in PREBUILT if f"-{cpu}-" in path.name]
    assert len(programs) > 20
    blocks = [block for program in programs for block in _functions(program)]
    assert len(blocks) > 200
    assert [f for block in blocks for f in check_block(cpu, block)] == []


def _functions(program: Program) -> Iterator[CodeBlock]:
    """The code of every function, of the compiler's library too, without the tables in it."""
    places = [(s.address, s.size) for s in program.symbols if s.kind == "function"]
    if program.architecture == "m68k":
        code = Code(program)
        for address, size in places:
            for one in code.routine(address, address + size):
                yield CodeBlock(one.address, code.read(one.address, one.size))
    else:
        for address, size in places:
            (segment,) = (s for s in program.segments if s.address <= address < s.end)
            start = address - segment.address
            yield CodeBlock(address, segment.data[start : start + size])


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("4c41 0800", "divs.l is no instruction of a 68000: the 68020 and later have it"),
        ("4c00 1800", "muls.l is no instruction of a 68000: the 68020 and later have it"),
        ("49c0", "extb.l is no instruction of a 68000: the 68020 and later have it"),
        ("4e74 0004", "rtd is no instruction of a 68000: the 68010 and later have it"),
    ],
)
def test_the_first_processor_that_has_an_instruction_is_named(code: str, words: str) -> None:
    block = CodeBlock(0x1000, bytes.fromhex(code) + bytes(16))
    assert missing_instruction("68000", block) == MissingInstruction(words, "68040")
    assert missing_instruction("68040", block) is None


@pytest.mark.parametrize(
    ("cpu", "code"), [("68000", "4e75"), ("68000", "ffff"), ("601", "fc2220ee")]
)
def test_no_other_processor_is_named_where_none_has_it(cpu: str, code: str) -> None:
    assert missing_instruction(cpu, CodeBlock(0x1000, bytes.fromhex(code) + bytes(16))) is None
