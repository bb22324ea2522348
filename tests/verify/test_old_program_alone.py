"""An old program is the program under test: its routines and globals are given by their places."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import macproof
from tests.program import fragment_samples as sample
from tests.program.code_samples import write_application
from tests.runner.test_start_up import code
from tests.small_cases import PYTHON
from tests.verify.test_old_application import START, STEP

Command = Callable[..., Any]
PLACE = f"CODE 1+{4 + len(code(START))}"
CASE = f"""
schema: macproof.case/1
name: alone
title: A step of a simulation in an old application
program: old.bin
call: {PLACE}
prototype: long step(void)
convention: think-c-16
start: InitGraf
globals:
  gLast: {{at: A5-6, type: long}}
input: {{gLast: objects}}
scene: {{make: "scenes:make_numbers", generators: [any], objects: [0, 3, 9], count: 12}}
observe: {{return: total, gLast: total}}
reference: scenes:step
"""
STEPS = """
def step(scene):
    return answer(total=scene.objects + 3)

def unchanged(scene):
    return answer(objects=scene.objects)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "scenes.py").write_text(PYTHON + STEPS)
    write_application(tmp_path, (code(START) + code(STEP)).hex(), "old")
    broken = code(STEP.replace("d081            add.l", "9081            sub.l"))
    write_application(tmp_path, (code(START) + broken).hex(), "broken")
    (tmp_path / "case.yaml").write_text(CASE)
    return tmp_path


def test_an_old_program_is_verified_on_every_processor_that_runs_it(folder: Path) -> None:
    found = macproof.check(folder)
    assert [(one.cpu, one.build, one.abi) for one in found.report.results] == [
        ("68000", "given", "think-c-16"),
        ("68040", "given", "think-c-16"),
    ]
    with pytest.raises(macproof.ProgramError, match="m68k program and cannot run on a PowerPC"):
        macproof.programs_of(folder, cpus=["601"])
    (program,) = macproof.programs_of(folder, cpus=["68000"], builds=["given"])
    with macproof.Machine(program) as machine:
        machine.globals["gLast"][...] = 10
        assert machine.functions[PLACE]() == 13


def test_code_of_a_later_processor_is_named_with_what_to_write(folder: Path) -> None:
    later = code(STEP.replace("d081            add.l", "4c41 0800       divs.l  d1,d0"))
    write_application(folder, (code(START) + later).hex(), "old")
    case = macproof.load_case(str(folder))
    programs = macproof.programs_of(case, cpus=["68000"], builds=["given"])
    (result,) = macproof.verify(case, programs, scenes=3).report.results
    words = "divs.l is no instruction of a 68000: the 68020 and later have it; write cpu: "
    assert f'{words}"68040"' in result.fault


@pytest.mark.slow
def test_another_program_takes_its_place(folder: Path, macproof: Command) -> None:
    done = macproof("verify", folder, "--cpu", "68000", "--scenes", 6)
    assert done.code == 0, done
    report = folder / "report.json"
    (folder / "no_total.case.yaml").write_text(
        CASE.replace("return: total, gLast: total", "gLast: objects").replace(":step", ":unchanged")
    )
    words = ("--program", folder / "broken.bin", "--cpu", "68000", "--json", report)
    done = macproof("verify", folder, *words)
    assert done.code == 1, done
    done = macproof("explain", report, "--trust")
    assert done.code == 1, done
    assert "First difference: return is " in done.out
    done = macproof("verify", folder / "no_total.case.yaml", "--json", report)
    assert done.code == 1, done
    done = macproof("explain", report, "--trust")
    assert re.search(r"It was last written at 0x[0-9a-f]{8} CODE 1\+0x[0-9a-f]+\.", done.out), done


def test_a_globals_start_value_is_what_the_start_up_code_left(folder: Path) -> None:
    (folder / "early.case.yaml").write_text(CASE.replace("start: InitGraf\n", ""))
    with pytest.raises(macproof.CheckFailed, match="return is 0, expected 3"):
        macproof.check(folder / "early.case.yaml")


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("call: CODE 1", "call: CODE 7", "it has no code CODE 7"),
        ("call: CODE 1+", "call: CODE 1+0xfffff", "is beyond the"),
        ("call: CODE 1+", "call: CODE 1-", "line 6: .*a routine is a name, .* or a place, as in"),
        ("program: old.bin", "program: older.bin", "line 5: there is no file older.bin beside it"),
        ("program: old.bin", "programm: old.bin", "line 5: .*programm.*did you mean program"),
        ("program: old.bin\n", "", "the key sources is missing"),
        (
            "program: old.bin",
            "program: old.bin\nsources: [new.c]",
            "line 6: .* cannot have sources",
        ),
        (
            "program: old.bin",
            "sources: [new.c]",
            "line 9: start is only for a case that tests",
        ),
        (
            "program: old.bin\ncall: CODE",
            "sources: [new.c]\ncall: CODE",
            "start is only|is a place in a program",
        ),
        ("long step", "lung step", "line 7: column 1: there is no type lung; did you mean long"),
        ("think-c-16", "think-c-61", "line 8: there is no calling convention think-c-61; did you"),
        ("think-c-16", "ppc-sysv", "line 8: ppc-sysv is for powerpc programs"),
        ("start: InitGraf", "start: InitGrav", "line 9: old.bin: InitGrav is neither a Toolbox"),
        ("A5-6", "A5-600", "line 11: old.bin: it has no data of 4 bytes at A5-600"),
        ("type: long", "type: lung", "line 11: column 1: there is no type lung"),
        (
            "program: old.bin",
            "program: old.bin\ncpus: [68000, 601]",
            "line 6: old.bin is a m68k program, which no 601 runs",
        ),
        ("prototype: long step(void)\n", "", "nothing is known of the parameters of CODE 1"),
        (
            "program: old.bin",
            "program: old.bin\ncflags: [-O2]",
            "line 6: .* cannot have cflags",
        ),
    ],
)
def test_what_cannot_be_meant_is_refused(
    folder: Path, before: str, after: str, message: str
) -> None:
    assert before in CASE
    (folder / "new.c").write_text("long gLast; long step(void) { return gLast += 3; }\n")
    (folder / "bad.case.yaml").write_text(CASE.replace(before, after))
    with pytest.raises(macproof.MacproofError, match=message):
        macproof.check(folder / "bad.case.yaml")


def test_nothing_is_compiled_of_it(folder: Path, macproof: Command) -> None:
    for words in (("--build", "O2"), ("--source", folder / "scenes.py")):
        done = macproof("verify", folder, *words)
        assert done.code == 2, done
        assert "alone tests the program old.bin, which is not compiled" in done.err
    done = macproof("verify", folder, "--json", folder / "old.bin")
    assert done.code == 2, done
    assert "would be written over the program of alone" in done.err
    done = macproof("timing", folder)
    assert done.code == 2, done


# A code fragment. Apply calls the function that it gets, by its transition vector; Keep stores it.
APPLY = """
    7c08 02a6  mflr  r0
    9001 0008  stw   r0,8(r1)
    9421 ffc0  stwu  r1,-64(r1)
    9041 0014  stw   r2,20(r1)
    8003 0000  lwz   r0,0(r3)
    7c09 03a6  mtctr r0
    8043 0004  lwz   r2,4(r3)
    7c83 2378  mr    r3,r4
    4e80 0421  bctrl
    8041 0014  lwz   r2,20(r1)
    3821 0040  addi  r1,r1,64
    8001 0008  lwz   r0,8(r1)
    7c08 03a6  mtlr  r0
    4e80 0020  blr
"""
TWICE = """
    7c63 1a14  add   r3,r3,r3
    4e80 0020  blr
"""
MORE = """
    8082 0008  lwz   r4,8(r2)
    7c63 2214  add   r3,r3,r4
    4e80 0020  blr
"""
AT_TWICE = len(code(APPLY))
AT_MORE = AT_TWICE + len(code(TWICE))
FRAGMENT_CASE = """
schema: macproof.case/1
name: fragment
title: A routine of a code fragment that is given another one
cpus: [601]
program: old.pef
call: section 0+0
prototype: int apply(int (*function)(int), int number)
arguments: {function: {address_of: FUNCTION}, number: objects}
scene: {make: "scenes:make_numbers", generators: [any], objects: [0, 3, 9], count: 12}
observe: {return: total}
reference: scenes:REFERENCE
"""
APPLIED = """
def twice(scene):
    return answer(total=2 * scene.objects)

def more(scene):
    return answer(total=scene.objects + 100)
"""


@pytest.fixture
def fragment(tmp_path: Path) -> Path:
    """A fragment with the vectors of Apply and of More, and with 100 behind them."""
    (tmp_path / "scenes.py").write_text(PYTHON + APPLIED)
    words = (0, 0, 100, AT_MORE, 0)
    data = b"".join(word.to_bytes(4, "big") for word in words)
    blocks = [*sample.run(3, 1), *sample.incr_position(4), *sample.run(3, 1)]
    container = sample.pef(
        [
            sample.Section(sample.CODE, code(APPLY) + code(TWICE) + code(MORE), share=4),
            sample.Section(sample.DATA, data),
        ],
        sample.loader_section(
            exports=[("More", sample.T_VECTOR, 1, 12)], relocations={1: blocks}, main=(1, 0)
        ),
    )
    (tmp_path / "old.pef").write_bytes(container)
    return tmp_path


@pytest.mark.parametrize("function", ["twice", "more"])
def test_a_pointer_to_a_function_of_a_fragment_is_its_transition_vector(
    fragment: Path, function: str
) -> None:
    """The fragment has a vector of one of them, and none of the other."""
    place = {"twice": AT_TWICE, "more": AT_MORE}[function]
    case = fragment / "case.yaml"
    text = FRAGMENT_CASE.replace("FUNCTION", f"section 0+{place}").replace("REFERENCE", function)
    case.write_text(text)
    assert macproof.check(case).verdict == "verified"
    (program,) = macproof.programs_of(case)
    with macproof.Machine(program) as machine:
        apply = machine.functions["section 0+0"]
        address = program.read().segments[0].address + place
        assert apply(machine.pointer_to(address), 7) == {"twice": 14, "more": 107}[function]
        machine.reset()
        assert apply(machine.pointer_to(address), 7) == {"twice": 14, "more": 107}[function]


def test_a_routine_that_a_fragment_exports_has_its_name(fragment: Path) -> None:
    case = fragment / "case.yaml"
    case.write_text(FRAGMENT_CASE.replace("REFERENCE", "more").replace("FUNCTION", "More"))
    assert macproof.check(case).verdict == "verified"
    alone = FRAGMENT_CASE.replace("section 0+0", "More").replace("REFERENCE", "more")
    alone = alone.replace("int apply(int (*function)(int), int number)", "int More(int number)")
    case.write_text(alone.replace("function: {address_of: FUNCTION}, ", ""))
    assert macproof.check(case).verdict == "verified"


def test_a_function_whose_address_is_given_must_be_there(fragment: Path) -> None:
    case = fragment / "case.yaml"
    case.write_text(FRAGMENT_CASE.replace("REFERENCE", "more").replace("FUNCTION", "CODE 9+2"))
    with pytest.raises(macproof.CaseError, match="line 9: there is no function or global CODE 9"):
        macproof.check(case)
