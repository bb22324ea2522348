"""Names of forms of the 68K's instructions."""

from __future__ import annotations

import pytest

from emu.lift.m68k.m68k_forms import m68k_form


@pytest.mark.parametrize(
    ("code", "form"),
    [
        ("d040", "add.w D,Dx"),
        ("d390", "add.l Dx,I"),
        ("d07c 1234", "add.w #,Dx"),
        ("0679 0001 00001000", "addi.w #,L"),
        ("21bc 00000001 0010", "move.l #,X"),
        ("2030 0c10", "move.l X*,D"),
        ("2030 0120 0010", "move.l Xf,D"),
        ("2030 0921 0010", "move.l Xi,D"),
        ("2030 0d17 00000008", "move.l Xj,D"),
        ("6708", "bcc.s 7,d8"),
        ("56c8 0004", "dbcc.w 6,Dc,d16"),
        ("54c0", "scc.b 4,D"),
        ("4c00 0001", "mul.l 32u,D,Dq"),
        ("4c40 1c01", "div.l 64s,D,Dq"),
        ("82c0", "divu.w D,Dx"),
        ("e9c0 0d84", "bfextu.l bitso,D,Dq"),
        ("e140", "asl.w n3,Dr"),
        ("f239 d0ff 00001000", "fpu f6,L"),
        ("4e75", "rts"),
        ("4e7f", ""),
        ("2030", ""),
    ],
)
def test_names(code: str, form: str) -> None:
    assert m68k_form("68040", bytes.fromhex(code)) == form


def test_a_68000_has_no_scale() -> None:
    assert m68k_form("68000", bytes.fromhex("20300c10")) == "move.l X,D"
    assert m68k_form("68000", bytes.fromhex("20300d17")) == "move.l X,D"
