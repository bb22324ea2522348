"""Functions of a source ranked against those of a program without names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from emu.base.errors import CompileError, UsageError
from emu.port.likeness import OldFunctions, Ranking, aligned_scores
from emu.port.source_functions import function_named, source_functions
from emu.port.traits import CONSTANT, TEXT, TOOLBOX, Trait, traits_of
from emu.program.functions.find_functions import find_functions
from emu.program.model.model import Program, source_name
from emu.program.read import read_program

ROOT = Path(__file__).parents[2]
PREBUILT = ROOT / "tests" / "programs" / "mac" / "prebuilt"
ARCHIVER = ROOT / "examples" / "old-application" / "Archiver.bin"


def without_names(program: Program) -> Program:
    return replace(program, symbols=[s for s in program.symbols if s.kind != "function"])


@pytest.mark.parametrize("app", ["menus", "files"])
def test_functions_are_found_again_in_a_program_for_another_processor(app: str) -> None:
    """The source is here what GCC made of it for a 601, and the program is for a 68000."""
    old = read_program(PREBUILT / "68000" / f"{app}.bin")
    source = find_functions(read_program(PREBUILT / "601" / f"{app}.bin"))
    program = find_functions(without_names(old))
    addresses = {source_name(s.name): s.address for s in old.symbols if s.kind == "function"}
    ranking = Ranking([source], OldFunctions(program))
    sought = [
        function.name
        for function in source.functions
        if function.size > 100
        and not function.kind
        and addresses.get(function.name) in program.by_address
    ]
    first = [ranking.best(name, 1)[0].function.address == addresses[name] for name in sought]
    assert len(sought) >= 25
    assert sum(first) >= 0.8 * len(sought)


def test_the_reason_of_a_rank() -> None:
    program = find_functions(without_names(read_program(PREBUILT / "68000" / "menus.bin")))
    source = find_functions(read_program(PREBUILT / "601" / "menus.bin"))
    best = Ranking([source], OldFunctions(program)).best("_Ask", 3)
    assert Trait(TOOLBOX, "GetNewDialog") in best[0].shared
    assert Trait(TEXT, "no answer") in best[0].shared
    assert Trait(CONSTANT, "32767") in best[0].shared
    assert best[0].score > best[1].score
    assert best[0].total >= best[1].total >= best[2].total


def test_a_routine_has_one_name_whatever_interface_named_it() -> None:
    functions = find_functions(read_program(PREBUILT / "68000" / "menus.bin")).functions
    ask = next(function for function in functions if function.name == "_Ask")
    older = replace(ask, toolbox={"SelIText": 1, "GetDItem": 1, "GetIText": 1})
    newer = replace(
        ask, toolbox={"SelectDialogItemText": 1, "GetDialogItem": 1, "GetDialogItemText": 1}
    )
    assert traits_of(older) == traits_of(newer)


def test_an_alignment_keeps_the_order() -> None:
    """By itself the second row is likest to the first column; between its neighbours it is not."""
    scores = np.array([[-0.2, 0.6, -0.2, -0.2], [0.5, -0.2, 0.4, -0.2], [-0.2, -0.2, -0.2, 0.6]])
    totals = aligned_scores(scores)
    assert scores[1].argmax() == 0
    assert totals[1].argmax() == 2
    assert totals[1, 2] == pytest.approx(1.6)
    alone = aligned_scores(scores[1:2])
    assert alone[0].argmax() == 0


@pytest.fixture(scope="module")
def routine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("source") / "sum.c"
    path.write_text(
        "extern long gBytes;\nextern unsigned short gTable[256];\n"
        "static unsigned short Twice(unsigned short sum) { return sum * 77; }\n"
        "unsigned short UpdateSum(unsigned short sum, const unsigned char *bytes, short count)\n"
        "{\n    short i;\n    gBytes += count;\n    for (i = 0; i < count; i++)\n"
        "        sum = (sum << 8) ^ gTable[(sum >> 8) ^ bytes[i]];\n    return sum;\n}\n"
    )
    return path


def test_a_source_is_compiled_without_what_other_files_have(
    routine: Path, compilers: Callable[..., None]
) -> None:
    compilers("68000", "601")
    for architecture in ("m68k", "powerpc"):
        for form in source_functions(routine, architecture):
            assert [function.name for function in form.functions] == ["Twice", "UpdateSum"]
            found = function_named(form, "UpdateSum")
            places = [use.place for use in found.contents.globals]
            assert {"gBytes", "gTable"} <= set(places)
            assert found.contents.loops == 1


def test_a_function_is_found_by_its_source(routine: Path, compilers: Callable[..., None]) -> None:
    compilers("68000")
    ranking = Ranking(
        source_functions(routine, "m68k"), OldFunctions(find_functions(read_program(ARCHIVER)))
    )
    assert ranking.best("UpdateSum", 1)[0].function.place == "CODE 1+0xd2"


def test_wrong_sources(routine: Path, tmp_path: Path, compilers: Callable[..., None]) -> None:
    with pytest.raises(UsageError, match="there is no such file"):
        source_functions(tmp_path / "none.c", "m68k")
    compilers("68000")
    (form, _) = source_functions(routine, "m68k")
    with pytest.raises(UsageError, match=r"no function UpdateSun; did you mean UpdateSum\?"):
        function_named(form, "UpdateSun")
    broken = tmp_path / "broken.c"
    broken.write_text("int Foo(void) {\n    return nothing;\n}\n")
    with pytest.raises(CompileError, match=r"broken\.c:2"):
        source_functions(broken, "m68k")
