"""The table of the places at which checks are made."""

from __future__ import annotations

import pytest

from emu.lift.decoder import Decoder
from emu.lift.native.assembler import Assembler, StorageCells
from emu.lift.native.module import NativeModule, translate
from emu.lift.pcode.operations import LiftedInstruction
from emu.lift.shadow.areas import LAST_BYTES, LASTS, SKEW
from emu.lift.shadow.check_form import CheckForm
from emu.lift.shadow.check_sites import NO_LAST, CheckSites
from emu.lift.shadow.shadow_checks import ShadowChecks
from emu.machine.cpu import CPUS


def at(address: int) -> Assembler:
    assembler = Assembler(StorageCells(()))
    assembler.begin(LiftedInstruction(address, b"", ()), is_straight=True)
    return assembler


def test_a_site_has_one_entry_and_any_other_one_of_its_own() -> None:
    sites = CheckSites()
    last = sites.new_last()
    given = [(16, 4, NO_LAST), (16, 2, NO_LAST), (20, 4, NO_LAST), (16, 4, last), (16, 4, NO_LAST)]
    numbers = [sites.number(at(place), size, kept, is_push=False) for place, size, kept in given]
    assert numbers == [0, 1, 2, 3, 0]
    assert sites.number(at(16), 4, NO_LAST, is_push=True) == 4
    assert f"[4 x i32] [i32 20, i32 4, i32 {NO_LAST}, i32 0]" in sites.text()
    assert sites.text().startswith("@check_sites = internal constant [5 x [4 x i32]]")


def test_a_table_without_sites_is_not_empty() -> None:
    assert "[1 x [4 x i32]]" in CheckSites().text()


def test_last_addresses_lie_before_the_shadow_and_never_where_none_is_kept() -> None:
    sites = CheckSites()
    places = [sites.new_last() for _ in range(LAST_BYTES // 4 + 5)]
    assert places[:2] == [LASTS + 4, LASTS + 8] and NO_LAST not in places
    assert max(places) == -SKEW - 4 and places[LAST_BYTES // 4 - 1] == places[0]


@pytest.mark.parametrize("cpu", ["68000", "601"])
def test_code_with_checks_marks_no_blocks(cpu: str) -> None:
    code = bytes.fromhex("20104e75" if cpu == "68000" else "806300004e800020")

    def module(*forms: CheckForm) -> NativeModule:
        decoder = Decoder(CPUS[cpu], lambda at, size: code[at - 0x1000 : at - 0x1000 + size])
        checks = [ShadowChecks(CPUS[cpu], range(0x800, 0x900), 0, form) for form in forms]
        return translate(CPUS[cpu], decoder, [0x1000], 0x900, checks=next(iter(checks), None))

    assert module().blocks and "store i8 1" in module().text
    for form in CheckForm:
        made = module(form)
        assert made.blocks == () and "store i8 1" not in made.text
