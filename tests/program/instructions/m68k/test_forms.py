"""The table of 68K instructions beside Capstone's, and beside what is derived of it."""

from __future__ import annotations

from collections import Counter

import capstone
import pytest

from emu.machine import CPUS
from emu.program.instructions.m68k.form_rows import PRIVILEGED
from emu.program.instructions.m68k.forms import (
    CALL,
    EFFECTIVE_ADDRESS,
    TARGET,
    InstructionForm,
    find_form,
    forms,
    mode_of,
)
from emu.program.instructions.m68k.operands import (
    EndsEarlyError,
    NoModeError,
    Operand,
    Words,
    effective_address,
    operand_of,
)

ZEROS = bytes(20)
# Where the two differ, by the table's mnemonic ("" for none) and Capstone's, and why the manual is
# on the table's side.
DIFFERENCES = {
    ("btst", "btst"): "BTST of an immediate is of a byte, which takes a word",
    ("sbcd", "sbcd"): "SBCD of memory has one word",
    ("frestore", "frestore"): "there is no FRESTORE of an immediate",
    ("callm", ""): "the 68020 has it",
    ("rtm", ""): "the 68020 has it",
    ("move16", ""): "the zeros behind it are no second word of MOVE16, which the table leaves open",
    ("pflush", ""): "the 68040 has it",
    ("ptest", ""): "the 68040 has it",
    ("ptest", "frestore"): "coprocessor 2 is the 68040's memory management",
    ("cinvl", "fdbf"): "coprocessor 2 is the 68040's caches",
    ("cpusha", "ftrapf"): "coprocessor 2 is the 68040's caches",
    **{
        ("", name): "only coprocessor 1 is a floating-point unit"
        for name in ("fbf", "fdbf", "fmove", "frestore", "fsave", "fsf", "ftrapf")
    },
}


def size_of(form: InstructionForm | None, word: int) -> int:
    """Bytes of an instruction, with zeros behind its first word; 0 if it is none."""
    if form is None or (form.modes and mode_of(word) not in form.modes):
        return 0
    words = Words(word.to_bytes(2, "big") + ZEROS, 2)
    for field in form.fields:
        if field.place == EFFECTIVE_ADDRESS:
            operand_of(word, words, form.size)
        elif field.place == TARGET:
            effective_address(word >> 6 & 7, word >> 9 & 7, words, form.size)
        else:
            words.skip(field.size)
    return words.taken


def test_all_words_beside_capstone() -> None:
    """They agree about what is an instruction, and how long it is, or the manual decides."""
    decoder = capstone.Cs(capstone.CS_ARCH_M68K, capstone.CS_MODE_M68K_040)
    agreed, differing = 0, Counter[tuple[str, str]]()
    for word in range(1 << 16):
        form = find_form(word)
        if word >> 12 == 0xA or (form is not None and form.mnemonic == "fpu"):
            continue  # traps are no instructions to Capstone; a command says what the FPU reads
        _, size, name, _ = next(
            decoder.disasm_lite(word.to_bytes(2, "big") + ZEROS, 0, 1), (0, 0, "dc.w", "")
        )
        if name == "dc.w":
            name, size = "", 0
        ours = size_of(form, word)
        if ours == size:
            agreed += 1
        else:
            mnemonic = form.mnemonic if form is not None else ""
            differing[mnemonic, name.partition(".")[0]] += 1
    assert differing.keys() <= DIFFERENCES.keys()
    assert agreed > 59_000


def test_no_row_hides_another() -> None:
    hidden = [form for form in forms() if not any(find_form(word) is form for word in form.words)]
    assert hidden == []


@pytest.mark.parametrize("cpu", ["68000", "68040"])
def test_privileged_instructions_are_noted(cpu: str) -> None:
    """All but those for caches, which are looked at by themselves, and what the 68000 lacks."""
    seen = Counter[bool]()
    for form in forms():
        special = CPUS[cpu].special(next(iter(form.words)).to_bytes(2, "big") + ZEROS).get(0)
        is_noted = special is not None and special.is_privileged
        is_cache = form.mnemonic.startswith(("cinv", "cpush"))
        is_here = cpu == "68040" or form.since == "68000" or form.mnemonic == "movec"
        expected = form.is_privileged(is_68000=cpu == "68000") or form.mnemonic == "movec"
        assert is_noted == (expected and not is_cache and is_here), form
        seen[is_noted] += 1
    assert seen[True] >= 8
    assert set(PRIVILEGED) <= {form.mnemonic for form in forms()}


def test_a_form_has_what_its_row_says() -> None:
    form = find_form(0xD098)  # ADD.L (A0)+,D0
    assert form is not None
    assert (form.mnemonic, form.size, form.since, form.flow) == ("add", 4, "68000", "")
    assert [(one.place, one.access) for one in form.fields] == [("ea", ""), ("Dx", "+")]
    call = find_form(0x61FF)
    assert call is not None
    assert (call.operation, call.flow, call.distance) == ("bsr", CALL, (2, 4))
    assert find_form(0xFFFF) is None


def test_operands_are_read_from_their_words() -> None:
    words = Words(bytes.fromhex("3d22 fffe 0004"))
    assert effective_address(6, 1, words, 4) == Operand(
        "pre_od", register=9, index=3, value=-2, scale=4, is_long=True, outer=4
    )
    # A 68000 takes bits 8 to 10 for nothing.
    assert effective_address(6, 1, Words(bytes.fromhex("3d22")), 4, full=False) == Operand(
        "d8x", register=9, index=3, value=0x22, is_long=True
    )


@pytest.mark.parametrize("extension", ["0100", "0114", "0118", "0155"])
def test_a_reserved_extension_word_is_no_mode(extension: str) -> None:
    with pytest.raises(NoModeError) as refused:
        effective_address(6, 0, Words(bytes.fromhex(extension) + ZEROS), 4)
    assert refused.value.word == int(extension, 16)


def test_an_operand_that_ends_early_is_seen() -> None:
    with pytest.raises(EndsEarlyError):
        effective_address(7, 1, Words(b"\0\x10"), 4)


@pytest.mark.parametrize(
    ("extension", "base", "pc"),
    [
        (0x0170, None, True),  # ($10000,PC)
        (0x01F0, None, False),  # ($10000,ZPC): the program counter is no part of the address
    ],
)
def test_a_base_that_is_left_out_is_none(extension: int, base: int | None, pc: bool) -> None:
    code = bytes.fromhex("323b") + extension.to_bytes(2, "big") + bytes.fromhex("00010000")
    operand = operand_of(0x323B, Words(code, 2), 2, full=True)
    assert (operand.register, operand.pc, operand.index) == (base, pc, None)
    assert operand.value == 0x10000
