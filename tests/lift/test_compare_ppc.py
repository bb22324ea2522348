"""The forms of the 601: lifted code does what Unicorn does, with a sample of them each time."""

from __future__ import annotations

import hashlib

import pytest

from emu.lift.compared_forms import compared_forms
from emu.lift.decoder import Decoder
from emu.lift.powerpc.forms import form_of, ppc_form
from emu.machine.cpu import PPC601
from tests.lift.compare_ppc import compare, list_of
from tests.lift.pieces_ppc import pieces
from tests.lift.probes_ppc import PowerOutcome, differences

_PART = 24  # one piece in so many


def _rank(code: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(code, digest_size=4).digest())


def test_a_sample_agrees_with_unicorn() -> None:
    some = [piece for piece in pieces() if _rank(piece.instruction.code) % _PART == 0]
    outcome = compare(some, 6, seed=2)
    assert outcome.wrong == []
    assert sum(outcome.same.values()) > 100


@pytest.mark.slow
def test_all_agree_with_unicorn() -> None:
    outcome = compare(pieces(), 12, seed=3)
    assert outcome.wrong == []
    listed = compared_forms("601")
    assert listed is not None
    assert set(list_of(outcome.same, ()).forms) == set(listed.forms)


def test_a_difference_is_seen() -> None:
    one = PowerOutcome({"r3": 1, "f1": 1 << 40}, {0x4000: 1})
    assert differences(one, one) == []
    assert differences(one, PowerOutcome({"r3": 2, "f1": 0}, {})) == ["r3", "f1", "memory"]
    assert differences(one, PowerOutcome({"r3": 1, "f1": 0}, {0x4000: 1}), lower_half="f1") == []
    assert differences(one, PowerOutcome({}, {}, "trapped")) == ["end"]
    assert differences(PowerOutcome({}, {}, "left"), PowerOutcome({}, {}, "trapped")) == []


@pytest.mark.parametrize(
    ("word", "form"),
    [
        (0x7C642A14, "add"),
        (0x7C642E15, "addo."),
        (0x4200FFF0, "bc 16"),
        (0x4C9E0421, "bcctrl 4"),
        (0x7C0802A6, "mfspr 8"),
        (0xEC22182A, "fadds"),
        (0x4E000420, ""),  # bcctr that counts
        (0x44000002, ""),  # sc
        (0x84630004, ""),  # lwzu r3,4(r3)
        (0xBBA30000, "lmw"),
        (0xB8830000, "lmw"),
        (0xB8840000, ""),  # lmw r4,0(r4)
        (0x7C6544AA, "lswi"),
        (0x7C6324AA, ""),  # lswi r3,r3,4
        (0x7C0000A6, ""),  # mfmsr
        (0x7C600000, ""),  # cmpd
    ],
)
def test_names_of_forms(word: int, form: str) -> None:
    assert form_of(word) == form
    assert ppc_form("601", word.to_bytes(4, "big") + b"\xff") == form


@pytest.mark.parametrize(
    ("word", "is_lifted"),
    [(0x7C642A14, True), (0x48000008, True), (0x48040002, False), (0x7C642A2A, False)],
)
def test_only_compared_forms_are_lifted(word: int, is_lifted: bool) -> None:
    """ADD and B are; BA, to an absolute address, and LSCBX are not."""
    code = word.to_bytes(4, "big")
    lifted = Decoder(PPC601, lambda at, size: code).instruction(0x1000)
    assert (lifted.refusal == "") == is_lifted
