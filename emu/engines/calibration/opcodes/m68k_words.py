"""The words that follow the first one of a 68K instruction and are no address, with edge values.

Source: M68000 Family Programmer's Reference Manual (M68000PM/AD), section 4.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from emu.engines.calibration.opcodes.m68k_addresses import immediate_words
from emu.engines.calibration.stubs import TARGET
from emu.program.instructions.m68k.forms import FormField, InstructionForm


@dataclass(frozen=True, slots=True)
class SecondWords:
    """Words of an instruction that are no address.

    Attributes:
        words: the words.
        text: how they are written; "" if the first word says it.
        bases: address registers in them.
        indexes: registers in them that are added to an address.
    """

    words: bytes
    text: str = ""
    bases: frozenset[int] = frozenset()
    indexes: frozenset[int] = frozenset()


_D0_TO_A7, _SOME, _ONE = 0xFFFF, 0x7C3E, 0x0002
_COMPARED = "d1:d6"
_OFFSET_REGISTER = 7
_PLACES: Mapping[str, tuple[SecondWords, ...]] = MappingProxyType(
    {
        "n16": tuple(SecondWords(bytes((0, n)), f"#{n}") for n in (0, 7, 8, 31)),
        "list": tuple(
            SecondWords(mask.to_bytes(2, "big"), f"#${mask:04x}")
            for mask in (_SOME, _ONE, _D0_TO_A7)
        ),
        # D5 receives or gives bits. {offset:width}: 4 bits from 0, 32 from 31, offset and width in
        # registers; these are small, so that the field lies in memory of the probe.
        "bits": (
            SecondWords(bytes.fromhex("5004"), "{0:4}, d5"),
            SecondWords(bytes.fromhex("57c0"), "{31:32}, d5"),
            SecondWords(bytes.fromhex("59e6"), "{d7:d6}, d5", indexes=frozenset({7})),
            SecondWords(bytes.fromhex("5267"), "{9:d7}, d5"),
        ),
        # D5 with D6 as its upper half: unsigned and signed, 32 bits and 64.
        "product": tuple(
            SecondWords(bytes.fromhex(words), text)
            for words, text in (
                ("5006", "d5, unsigned"),
                ("5806", "d5, signed"),
                ("5406", "d6:d5, unsigned"),
                ("5c06", "d6:d5, signed"),
            )
        ),
        # The same, and a quotient of 32 bits with no remainder.
        "quotient": tuple(
            SecondWords(bytes.fromhex(words), text)
            for words, text in (
                ("5005", "d5, unsigned"),
                ("5805", "d5, signed"),
                ("5006", "d6:d5 of 32 bits, unsigned"),
                ("5806", "d6:d5 of 32 bits, signed"),
                ("5406", "d6:d5, unsigned"),
                ("5c06", "d6:d5, signed"),
            )
        ),
        "l": (SecondWords(TARGET.to_bytes(4, "big"), f"${TARGET:x}.l"),),
    }
)
_A5 = frozenset({13})
_BY_NAME: Mapping[str, tuple[SecondWords, ...]] = MappingProxyType(
    {
        "movep": (SecondWords(bytes.fromhex("0010"), "$10(a2)"),),
        "cas": (SecondWords(bytes.fromhex("0181"), "d1, d6"),),
        # CMP2 with a data and an address register, CHK2 with a data register.
        "cmp2/chk2": (
            SecondWords(bytes.fromhex("1000"), "d1"),
            SecondWords(bytes.fromhex("9000"), "a1"),
            SecondWords(bytes.fromhex("1800"), "d1, checked"),
        ),
        "pack": (
            SecondWords(bytes.fromhex("0000"), "#$0"),
            SecondWords(bytes.fromhex("1234"), "#$1234"),
        ),
        "unpk": (
            SecondWords(bytes.fromhex("3030"), "#$3030"),
            SecondWords(bytes.fromhex("ffff"), "#$ffff"),
        ),
        "move16": (SecondWords(bytes.fromhex("d000"), "(a5)+", _A5),),
    }
)
_CAS2 = (
    # Each word: the register of the address, the one that is stored, the one that is compared.
    SecondWords(bytes.fromhex("d181"), "d1, d6, (a5)", _A5),
    SecondWords(bytes.fromhex("b1c2"), "d2, d7, (a3)", frozenset({11})),
)


def second_words(
    form: InstructionForm, field: FormField, at: int, which: int
) -> tuple[SecondWords, ...]:
    """What may stand in the words of a field; empty if it has none.

    Args:
        form: the instruction.
        field: one of its fields.
        at: its number among the fields.
        which: which of the edge values immediates have.
    """
    if field.place == "#":
        chosen = (immediate_words(form.size, which + n) for n in range(2))
        return tuple(SecondWords(words, f"#${words.hex()}") for words in chosen)
    if field.place == "w":
        return (_CAS2[at],) if form.operation == "cas2" else _BY_NAME[form.operation]
    return _PLACES.get(field.place, ())
