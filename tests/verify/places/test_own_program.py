"""The case's own program, which says what other programs of it should declare."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import macproof
from emu.cases.case import Case
from emu.cases.programs.programs import PREBUILT
from emu.verify.places import own_program as own_program_module
from emu.verify.places.own_program import own_program
from tests.verify.small_cases import SmallCase

KEYS = "call: Go\narguments: {x: number}\nobserve: {return: same}\nreference: small:same\n"
PYTHON = "\n\ndef same(scene):\n    return SimpleNamespace(same=scene.number)\n"


def test_a_build_that_is_compiled_serves_else_the_first(
    tmp_path: Path, isolated_cache: Path, compilers: Callable[..., None]
) -> None:
    """To verify one build compiles no other."""
    compilers("68040", "68000")
    case = SmallCase(tmp_path, "long Go(short x) { return x; }", KEYS, PYTHON).case
    programs = macproof.programs_of(case, cpus=["68040"], builds=["O2"])
    made = sorted(isolated_cache.rglob("*.elf"))
    assert made and macproof.verify(case, programs, scenes=4, jobs=1).verdict == "verified"
    own = own_program(case, "68040")
    assert own is not None and own.path == programs[0].program
    assert sorted(isolated_cache.rglob("*.elf")) == made
    other = own_program(case, "68000")
    (first,) = macproof.programs_of(case, cpus=["68000"], builds=["O0"])
    assert other is not None and other.path == first.program


def test_a_program_that_came_along_serves_before_any_is_compiled(
    case: Case, isolated_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A campaign of prebuilt programs took 0.6 s for each processor to compile O0."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("nothing has to be compiled")

    monkeypatch.setattr("emu.toolchain.programs.prebuilt.compile_program", refuse)
    own_program_module._compiled_program.cache_clear()
    own = own_program(case, "68040")
    assert own is not None and own.path.parent == PREBUILT
    assert not [*isolated_cache.rglob("*.elf")]
