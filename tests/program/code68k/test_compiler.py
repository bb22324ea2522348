"""The compilers of old applications, by what their linkers leave."""

from __future__ import annotations

import pytest

from emu.program.code68k.compiler import CODEWARRIOR, MPW, THINK_C, recognise_compiler
from tests.program.code_samples import NEAR, RTS, application, code_0, near

CODE_0 = code_0([(NEAR, 1, 0)])
GET_CODE_0 = bytes.fromhex("2f3c434f44454267a9a0")


@pytest.mark.parametrize(
    ("more", "first", "names", "compiler"),
    [
        (("DATA", "ZERO", "DREL"), RTS, {}, THINK_C),
        (("DATA",), GET_CODE_0 + RTS, {}, CODEWARRIOR),
        ((), RTS, {("CODE", 1): "%A5Init"}, MPW),
        (("DATA",), RTS, {}, None),
        ((), bytes(80) + GET_CODE_0 + RTS, {}, None),
    ],
)
def test_what_the_linker_leaves_tells_the_compiler(
    more: tuple[str, ...], first: bytes, names: dict[tuple[str, int], str], compiler: str | None
) -> None:
    resources = {("CODE", 0): CODE_0, ("CODE", 1): near(first)}
    file = application(resources | {(kind, 0): bytes(2) for kind in more}, names)
    found = recognise_compiler(file)
    assert (found and found.name) == compiler
