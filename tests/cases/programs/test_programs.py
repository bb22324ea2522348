"""The programs of a case: one way to choose them, with keyword arguments."""

from __future__ import annotations

import hashlib

import pytest

from emu.base.errors import ToolMissingError, UsageError
from emu.cases.find import load_case
from emu.cases.programs.programs import PREBUILT, given_program, programs_of
from emu.cases.programs.selection import NOT_ASKED_FOR, NOTHING_COMPILED, Omission
from emu.machine import CPUS, BareMachine
from emu.program import read_program

PORT = PREBUILT / "four-shifts-68040-O2.elf"


@pytest.fixture(scope="module")
def case():
    return load_case("four-shifts")


def test_what_is_asked_for_is_given_in_that_order(case):
    found = programs_of(case, cpus=["601", "68040"], builds=["O2", "O0"], use="prebuilt")
    assert [(one.cpu, one.build) for one in found] == [
        ("601", "O2"),
        ("601", "O0"),
        ("68040", "O2"),
        ("68040", "O0"),
    ]
    assert len(found) == 4
    assert found[2].program == PORT
    assert found[2].sha256 == hashlib.sha256(PORT.read_bytes()).hexdigest()
    assert BareMachine(read_program(found[2].program), CPUS[found[2].cpu])
    assert found.not_run[:2] == (
        Omission("CPU 68000", NOT_ASKED_FOR),
        Omission("build O1, Os, period, O2-macros", NOT_ASKED_FOR),
    )
    assert found.not_run[2].what.startswith("the original program (Tom Moertel")


def test_all_are_given_if_none_is_named(case):
    found = programs_of(case, use="prebuilt")
    assert len(found) == len(case.cpus) * len(case.builds)
    assert [one.what for one in found.not_run] == [f"the original program ({case.credit})"]


def test_where_nothing_is_compiled_builds_without_a_program_are_left_out():
    brute_force = load_case("brute-force")
    found = programs_of(brute_force, cpus=["601"], use="prebuilt")
    assert [one.build for one in found] == ["O2"]
    assert Omission("build O0, O1, Os, period", NOTHING_COMPILED) in found.not_run
    with pytest.raises(ToolMissingError, match="no prebuilt program"):
        programs_of(brute_force, builds=["O0"], use="prebuilt")


@pytest.mark.parametrize(
    ("wanted", "problem"),
    [
        ({"cpus": ["6804"]}, "four-shifts has no CPU 6804; did you mean 68040"),
        ({"builds": ["O9"]}, "four-shifts has no build O9; there are O0"),
        ({"cpus": []}, "no CPU was asked for"),
        ({"builds": []}, "no build was asked for"),
        ({"source": {"gone.cpp": PORT}}, "has no source gone.cpp"),
    ],
)
def test_what_there_is_not_is_refused(case, wanted, problem):
    with pytest.raises(UsageError, match=problem):
        programs_of(case, **wanted)


def test_another_source_is_compiled_in_place_of_the_cases_own(case, tmp_path, compilers):
    compilers("68040")
    port = tmp_path / "port.cpp"
    port.write_bytes((case.path.parent / case.sources[0]).read_bytes())
    found = programs_of(case, cpus=["68040"], builds=["O2"], source=port)
    assert found.source == port
    assert "port.cpp" in found.built[0].files
    assert not [one for one in found.not_run if "original" in one.what]


def test_a_source_may_be_given_as_a_string(case, tmp_path, compilers):
    compilers("68040")
    port = tmp_path / "port.cpp"
    port.write_bytes((case.path.parent / case.sources[0]).read_bytes())
    for source in (str(port), {case.sources[0]: str(port)}):
        found = programs_of(case, cpus=["68040"], builds=["O2"], source=source)
        assert "port.cpp" in found.built[0].files
    with pytest.raises(UsageError, match="there is no such file"):
        programs_of(case, source="nowhere.cpp")


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        (3, "source is 3, and has to be the path of a file, or paths by names"),
        (b"port.cpp", "source is b'port.cpp', and has to be the path"),
        ([PORT], "and has to be the path of a file, or paths by names"),
        ({"four_shifts.cpp": 3}, r"source\['four_shifts.cpp'\] is 3, and has to be a path"),
        ({3: PORT}, "a key of source is 3, and has to be the name of a source"),
    ],
)
def test_what_is_no_source_is_refused(case, source, problem):
    """It would be ignored, and the case's own source verified in its place."""
    with pytest.raises(UsageError, match=problem):
        programs_of(case, source=source)


def test_a_given_program_takes_the_place_of_all(case):
    found = given_program(case, PORT, "68040")
    assert [(one.cpu, one.build, one.program) for one in found] == [("68040", "given", PORT)]
    assert found.built[0].origin == "given"
    assert found.not_run == (
        Omission("every other CPU and build", "one program was given, and is run as it is"),
    )
    with pytest.raises(UsageError, match="there is no such file"):
        given_program(case, PORT.with_name("nowhere.elf"), "68040")
    with pytest.raises(UsageError, match="has no CPU 68050"):
        given_program(case, PORT, "68050")
