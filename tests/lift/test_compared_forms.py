"""The lists of forms that were compared: what they let through, and that they are right."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from emu.lift import amendments_m68k, compared_forms
from emu.lift.compared_forms import ComparedForms, is_form_compared, write_compared
from emu.lift.decoder import Decoder
from emu.machine.cpu import M68000, M68040
from tests.lift.compare import FEWEST, compare_with_unicorn, compared, mapped_pieces
from tests.lift.jump_probes import jump_probes

ADD, STORE = bytes.fromhex("d081"), bytes.fromhex("2080")


@pytest.fixture
def lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of lists; that of the 68040 has one form."""
    monkeypatch.setattr(compared_forms, "_LISTS", tmp_path)
    compared_forms.compared_forms.cache_clear()
    write_compared(ComparedForms("68040", "2026-11-27", ("an engine",), {"add.l D,Dx": 12}))
    yield tmp_path
    compared_forms.compared_forms.cache_clear()


def test_a_list_is_read_as_it_was_written(lists: Path) -> None:
    found = compared_forms.compared_forms("68040")
    assert found == ComparedForms("68040", "2026-11-27", ("an engine",), {"add.l D,Dx": 12})


def test_a_form_that_was_not_compared_is_refused(lists: Path) -> None:
    code = ADD + STORE
    decoder = Decoder(M68040, lambda address, size: code[address : address + size])
    assert decoder.instruction(0).refusal == ""
    assert decoder.instruction(2).refusal == "its form was not compared"
    assert decoder.instruction(2).operations[0].opcode == "LEAVE"


def test_of_a_processor_without_a_list_nothing_is_lifted(lists: Path) -> None:
    assert is_form_compared(M68040, ADD)
    assert not is_form_compared(M68000, ADD)


@pytest.mark.parametrize("processor", ["68000", "68020", "68030", "68040"])
def test_forms_of_a_list_are_right(processor: str) -> None:
    """Some forms of the list are compared again, in states that it was not made with."""
    found = compared_forms.compared_forms(processor)
    assert found is not None
    assert min(found.forms.values()) >= FEWEST
    pieces = [
        (form, piece)
        for form, piece in (*mapped_pieces(processor), *jump_probes(processor))
        if form in found.forms
    ]
    pieces.sort(key=lambda pair: hashlib.blake2b(b"sample" + pair[1].code).digest())
    tallies = compare_with_unicorn(processor, pieces[:48], 2, 7)
    assert [text for tally in tallies.values() for text in tally.examples] == []
    assert sum(tally.right for tally in tallies.values()) > 48


MENDED = """
    cmp cmpa cmpi cmpm addx subx negx mul asl asr lsl lsr rol ror roxl roxr pack unpk btst bchg
    bclr bset movem bftst bfextu bfexts bfffo bfchg bfclr bfset bfins
"""


@pytest.mark.parametrize("operation", MENDED.split())
def test_what_sleigh_says_wrongly_is_found(operation: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without its amendment, forms of an instruction are wrong and get into no list."""
    pieces = [
        (form, piece)
        for form, piece in mapped_pieces("68040")
        if form.split(" ")[0].split(".")[0] == operation
    ]
    pieces = pieces[:: -(-len(pieces) // 12)]
    right = compare_with_unicorn("68040", pieces, 6, 3)
    monkeypatch.delitem(amendments_m68k._BUILT, operation)
    wrong = compare_with_unicorn("68040", pieces, 6, 3)
    assert sum(tally.wrong for tally in right.values()) == 0
    assert set(compared("68040", wrong, []).forms) < set(compared("68040", right, []).forms)
