"""PowerPC words taken apart: every kind of instruction, and every committed program."""

from __future__ import annotations

from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from hypothesis import given
from hypothesis import strategies as st

from emu.base.errors import MacproofError
from emu.cycles.base.tables import table
from emu.cycles.powerpc.ppc_code import BPU, CTR, FPU, IU, LR, XER, decode, decode_word

ROOT = Path(__file__).parents[3]
FOLDERS = ("mac_src/prebuilt", "mac_src/prebuilt/mac/601", "tests/programs/mac/prebuilt/601")
PROGRAMS = [
    *sorted(path for folder in FOLDERS for path in (ROOT / folder).glob("*-601-*.elf")),
    *sorted(path for folder in FOLDERS for path in (ROOT / folder).glob("*.pef.gdb")),
    ROOT / "tests" / "programs" / "calls-ppc.elf",
    ROOT / "tests" / "programs" / "types-ppc.elf",
]


# Words are binutils' (powerpc-linux-gnu-as -m601), what they read and write is the architecture's.
@pytest.mark.parametrize(
    ("word", "mnemonic", "unit", "reads", "writes"),
    [
        (0x38630001, "addi", IU, {"r3"}, {"r3"}),  # addi r3,r3,1
        (0x38600001, "addi", IU, set(), {"r3"}),  # li r3,1: a field of 0 is no register here
        (0x7C632214, "add", IU, {"r3", "r4"}, {"r3"}),
        (0x7C632215, "add.", IU, {"r3", "r4"}, {"r3", "cr0"}),
        (0x7C632614, "addo", IU, {"r3", "r4"}, {"r3", XER}),
        (0x7C632114, "adde", IU, {"r3", "r4", XER}, {"r3", XER}),
        (0x34630001, "addic.", IU, {"r3"}, {"r3", XER, "cr0"}),
        (0x70832000, "andi.", IU, {"r4"}, {"r3", "cr0"}),
        (0x2C830005, "cmpi", IU, {"r3"}, {"cr1"}),  # cmpwi cr1,r3,5
        (0x7F832000, "cmp", IU, {"r3", "r4"}, {"cr7"}),  # cmpw cr7,r3,r4
        (0x5483103A, "rlwinm", IU, {"r4"}, {"r3"}),  # slwi r3,r4,2
        (0x5083442E, "rlwimi", IU, {"r3", "r4"}, {"r3"}),
        (0x7C831670, "srawi", IU, {"r4"}, {"r3", XER}),
        (0x7C6421D6, "mullw", IU, {"r4"}, {"r3"}),  # mullw r3,r4,r4
        (0x7C642BD6, "divw", IU, {"r4", "r5"}, {"r3"}),
        (0x7C0802A6, "mfspr", IU, {LR}, {"r0"}),  # mflr r0
        (0x7C0803A6, "mtspr", IU, {"r0"}, {LR}),  # mtlr r0
        (0x7C0903A6, "mtspr", IU, {"r0"}, {CTR}),  # mtctr r0
        (0x7D818120, "mtcrf", IU, {"r12"}, {"cr3", "cr4"}),  # mtcrf 0x18,r12
        (0x7C000026, "mfcr", IU, {f"cr{n}" for n in range(8)}, {"r0"}),
        (0x4CC63182, "crxor", IU, {"cr1"}, {"cr1"}),  # crclr 6
        (0x4E000000, "mcrf", IU, {"cr0"}, {"cr4"}),
        (0x80640008, "lwz", IU, {"r4"}, {"r3"}),
        (0x84640004, "lwzu", IU, {"r4"}, {"r3", "r4"}),
        (0x7C64282E, "lwzx", IU, {"r4", "r5"}, {"r3"}),
        (0x90640008, "stw", IU, {"r3", "r4"}, set()),
        (0x9421FFF0, "stwu", IU, {"r1"}, {"r1"}),
        (0xC8240000, "lfd", IU, {"r4"}, {"f1"}),
        (0xD8240000, "stfd", IU, {"r4", "f1"}, set()),
        (0xFC22182A, "fadd", FPU, {"f2", "f3"}, {"f1"}),
        (0xFC2200F2, "fmul", FPU, {"f2", "f3"}, {"f1"}),
        (0xFC2220FA, "fmadd", FPU, {"f2", "f3", "f4"}, {"f1"}),
        (0xEC221824, "fdivs", FPU, {"f2", "f3"}, {"f1"}),
        (0xFC200890, "fmr", FPU, {"f1"}, {"f1"}),
        (0xFC200891, "fmr.", FPU, {"f1"}, {"f1", "cr1"}),
        (0xFF811000, "fcmpu", FPU, {"f1", "f2"}, {"cr7"}),
        (0x48000010, "b", BPU, set(), set()),
        (0x48000011, "bl", BPU, set(), {LR}),
        (0x4E800020, "bclr", BPU, {LR}, set()),  # blr
        (0x4E800421, "bcctrl", BPU, {CTR}, {LR}),  # bctrl
        (0x4200FFF8, "bc", BPU, {CTR}, {CTR}),  # bdnz
        (0x4182000C, "bc", BPU, {"cr0"}, set()),  # beq
        (0x44000002, "sc", IU, set(), set()),
    ],
)  # fmt: skip
def test_what_an_instruction_reads_and_writes(
    word: int, mnemonic: str, unit: str, reads: set[str], writes: set[str]
) -> None:
    instruction = decode_word(word, 0x1000)
    assert (instruction.mnemonic, instruction.unit) == (mnemonic, unit)
    assert set(instruction.reads) == reads
    assert set(instruction.writes) == writes


def test_accesses_and_how_many_registers_they_move() -> None:
    load, store, add = (decode_word(word, 0) for word in (0x80640008, 0x90640008, 0x7C632214))
    assert [i.access for i in (load, store, add)] == ["load", "store", ""]
    save, restore = decode_word(0xBFA1000C, 0), decode_word(0xBBA1000C, 0)  # stmw, lmw r29,12(r1)
    assert (save.mnemonic, save.registers, save.access) == ("stmw", 3, "store")
    assert (restore.mnemonic, restore.registers, restore.access) == ("lmw", 3, "load")
    assert set(restore.writes) == {"r29", "r30", "r31"}
    assert set(save.reads) == {"r29", "r30", "r31", "r1"}
    string = decode_word(0x7C6454AA, 0)  # lswi r3,r4,10
    assert (string.registers, string.writes) == (3, ("r3", "r4", "r5"))
    assert decode_word(0x9421FFF0, 0).updates == "r1"  # stwu r1,-16(r1)


@pytest.mark.parametrize(
    ("word", "target", "conditional", "predicted"),
    [
        (0x48000010, 0x1010, False, True),  # b
        (0x4182000C, 0x100C, True, False),  # beq forward
        (0x41A2000C, 0x100C, True, True),  # beq+ forward: the y bit
        (0x4082FFF8, 0x0FF8, True, True),  # bne backward
        (0x40A2FFF8, 0x0FF8, True, False),  # bne- backward
        (0x4200FFF8, 0x0FF8, True, True),  # bdnz backward
        (0x4E800020, None, False, True),  # blr
        (0x4D820020, None, True, False),  # beqlr
        (0x4DA20020, None, True, True),  # beqlr+
        (0x48000012, 0x10, False, True),  # ba
        (0x4BFFFFFC, 0x0FFC, False, True),  # b backward
    ],
)
def test_branches(word: int, target: int | None, conditional: bool, predicted: bool) -> None:
    branch = decode_word(word, 0x1000).branch
    assert branch is not None
    assert (branch.target, branch.conditional, branch.predicted) == (target, conditional, predicted)


def test_what_is_no_instruction_is_refused() -> None:
    with pytest.raises(MacproofError, match="0x00000000 at 0x2004 is no PowerPC instruction"):
        decode(bytes.fromhex("38630001 00000000"), 0x2000)
    with pytest.raises(MacproofError, match="0x2000 is 6 bytes long"):
        decode(bytes(6), 0x2000)


def test_the_text_is_for_readers() -> None:
    assert decode_word(0x38600001, 0).text == "li r3, 1"
    assert decode_word(0x7C6402D0, 0).text  # abs, which PowerPC no longer had


@given(st.integers(0, 2**32 - 1), st.integers(0, 2**30 - 1))
def test_any_word_is_decoded_or_refused(word: int, place: int) -> None:
    try:
        instruction = decode_word(word, 4 * place)
    except MacproofError:
        return
    assert instruction.next == instruction.address + 4
    assert instruction.cell in table("ppc601").cells
    assert (instruction.branch is not None) == (instruction.unit == BPU)
    assert len(set(instruction.writes)) >= bool(instruction.updates)


@pytest.mark.slow
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.name)
def test_committed_programs_decode_whole(path: Path) -> None:
    """Every word of every function; what lies between functions may be tables."""
    decoded, refused = 0, []
    with path.open("rb") as file:
        elf = ELFFile(file)
        for symbol in elf.get_section_by_name(".symtab").iter_symbols():
            if symbol["st_info"]["type"] != "STT_FUNC" or not symbol["st_size"]:
                continue
            section = elf.get_section(symbol["st_shndx"])
            start = symbol["st_value"] - section["sh_addr"]
            code = section.data()[start : start + symbol["st_size"]]
            try:
                decoded += len(decode(code, symbol["st_value"]))
            except MacproofError:
                refused.append(symbol.name)
    assert decoded > 20
    # One is there to fault.
    assert refused == (["Illegal"] if path.name == "calls-ppc.elf" else [])
