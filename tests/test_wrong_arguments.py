"""Arguments of the public functions that are wrong: a UsageError each, which says what is right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import macproof

PORT = "mac_src/prebuilt/four-shifts-601-O0.elf"
FOLDER = Path("mac_src/brute_force")


@pytest.fixture(scope="module")
def machine() -> macproof.Machine:
    return macproof.Machine(macproof.read_program(PORT), "601")


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ({"builds": "O2"}, r"builds is 'O2', and has to be a list of strings, such as .*\['O2'\]"),
        ({"cpus": "68000"}, r"cpus is '68000', and has .* such as cpus=\['68000'\]"),
        ({"cpus": [68000]}, "each of cpus is 68000, and has to be a string"),
        ({"cpus": 68000}, "cpus is 68000, and has to be a list of strings"),
        ({"use": "bogus"}, "use is 'bogus', and has to be one of auto, compiled, prebuilt"),
    ],
)
def test_of_programs_of(wrong: dict[str, Any], problem: str) -> None:
    with pytest.raises(macproof.UsageError, match=problem):
        macproof.programs_of("four-shifts", **wrong)


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ({"objects": []}, r"objects is \[\], and has to be a list of whole numbers, such as"),
        ({"objects": 3}, r"objects is 3, and has to be .* such as objects=\[5, 200\]"),
        ({"objects": [-1]}, "each of objects is -1, and has to be a whole number from 0 up"),
        ({"scenes": 1.5}, r"scenes is 1\.5, and has to be a whole number from 0 up"),
        ({"scenes": -1}, "scenes is -1"),
        ({"scenes": True}, "scenes is True"),
        ({"seed": "1994"}, "seed is '1994', and has to be a whole number from 0 up"),
        ({"jobs": -1}, "jobs is -1, and has to be a whole number from 0 up"),
        ({"command": "make"}, "command is 'make', and has to be a list of strings"),
        ({"programs": []}, "programs is .*, and has to be what programs_of or given_program"),
    ],
)
def test_of_verify(wrong: dict[str, Any], problem: str) -> None:
    programs = macproof.programs_of("brute-force", cpus=["601"], builds=["O2"], use="prebuilt")
    with pytest.raises(macproof.UsageError, match=problem):
        macproof.verify("brute-force", **{"programs": programs, **wrong})
    if "programs" not in wrong and "command" not in wrong:
        with pytest.raises(macproof.UsageError, match=problem):
            macproof.check("brute-force", cpu="601", build="O2", **wrong)


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ({"cpu": ["68000"]}, r"cpu is \['68000'\], and has to be the name of one processor"),
        ({"build": ["O2"]}, r"build is \['O2'\], and has to be the name of one build"),
        ({"case": 3}, "the case is 3, and has to be its name, its folder or its file"),
    ],
)
def test_of_check(wrong: dict[str, Any], problem: str) -> None:
    with pytest.raises(macproof.UsageError, match=problem):
        macproof.check(**{"case": "brute-force", **wrong})


def test_of_other_functions() -> None:
    (program,) = programs = macproof.programs_of(
        "brute-force", cpus=["601"], builds=["O2"], use="prebuilt"
    )
    wrong = [
        (lambda: macproof.explain(3), "the failure is 3, and has to be what verify returns"),  # type: ignore[arg-type]
        (lambda: macproof.explain("r.json", cpus="601"), "cpus is '601'"),
        (lambda: macproof.predict("brute-force", [program], objects=[]), r"objects is \[\]"),
        (lambda: macproof.predict("brute-force", [program], scenes=0), "scenes is 0, .* from 1 up"),
        (lambda: macproof.predict("brute-force", ["601"]), "each of programs is '601'"),  # type: ignore[list-item]
        (lambda: macproof.read_program(3), "path is 3, and has to be a path"),  # type: ignore[arg-type]
        (lambda: macproof.read_program(PORT, architecture="ppc"), "one of m68k, powerpc"),
        (lambda: macproof.run_program(3), "program is 3"),  # type: ignore[arg-type]
        (lambda: macproof.run_program("a.bin", settings=3), "settings is 3"),  # type: ignore[arg-type]
        (lambda: macproof.given_program("brute-force", 3, "601"), "path is 3"),  # type: ignore[arg-type]
        (lambda: macproof.given_program("brute-force", PORT, 601), "cpu is 601"),  # type: ignore[arg-type]
        (lambda: macproof.Machine("foo"), "program is 'foo', and has to be what read_program"),  # type: ignore[arg-type]
        (lambda: macproof.Machine(programs), r"or one of what programs_of returns: programs\[0\]"),  # type: ignore[arg-type]
        (lambda: macproof.Machine(program, 601), "cpu is 601, and has to be the name"),  # type: ignore[arg-type]
        (lambda: macproof.Machine(program, heap_size=-1), "heap_size is -1"),
        (lambda: macproof.Machine(program, budget=5), "budget is 5"),  # type: ignore[arg-type]
    ]
    for call, problem in wrong:
        with pytest.raises(macproof.UsageError, match=problem):
            call()


@pytest.mark.parametrize(
    ("method", "given", "problem"),
    [
        ("allocate", (-1,), "size is -1, and has to be a whole number from 0 up"),
        ("allocate", ("16",), "size is '16'"),
        ("buffer", ("abc",), "data is 'abc', and has to be bytes, or how many of 0; c_string"),
        ("buffer", (-1,), "data is -1"),
        ("buffer", (1.5,), r"data is 1\.5"),
        ("buffer", ([300],), r"data is \[300\]"),
        ("new", ("obj", -1), "count is -1"),
        ("new", ("obj", 1.5), r"count is 1\.5"),
        ("new", (3,), "kind is 3, and has to be the name of a type"),
        ("c_string", (3,), "text is 3, and has to be a string or bytes"),
        ("pascal_string", (None,), "text is None"),
        ("pascal_string", ("a", 0), "size is 0"),
        ("read", (0x10000, -4), "size is -4"),
        ("read", ("a", 4), "address is 'a'"),
        ("call", ("_Abs", "7"), "an argument is '7'"),
    ],
)
def test_of_a_machine(
    machine: macproof.Machine, method: str, given: tuple[Any, ...], problem: str
) -> None:
    with pytest.raises(macproof.UsageError, match=problem):
        getattr(machine, method)(*given)


def test_of_a_function(machine: macproof.Machine) -> None:
    function = machine.functions["_IntersectQ"]
    first = function.signature.parameters[0].name
    with pytest.raises(macproof.UsageError, match="is called without its "):
        function(**{first: 0})
    with pytest.raises(macproof.UsageError, match="self is no parameter of"):
        function(self=1)


def test_an_array_of_structs_gets_no_members(machine: macproof.Machine) -> None:
    with pytest.raises(macproof.UsageError, match=r'made of zeros; .* made\[0\]\["x"\] ='):
        machine.new("obj", 2, x=1)


def test_a_case_may_be_given_by_its_name_everywhere() -> None:
    """Its name, its folder, its file, or what load_case returned."""
    case = macproof.load_case("brute-force")
    assert macproof.load_case(case) is case
    for given in ("brute-force", FOLDER, str(FOLDER / "case.yaml"), case):
        programs = macproof.programs_of(given, cpus=["601"], builds=["O2"], use="prebuilt")
        assert (
            macproof.verify(given, programs, scenes=5, objects=(5,), jobs=1).verdict == "verified"
        )
        assert macproof.given_program(given, programs[0].program, "601", use="prebuilt")
    assert macproof.predict("brute-force", programs, objects=[5], scenes=1, jobs=1)
