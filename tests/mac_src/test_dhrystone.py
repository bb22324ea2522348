"""The work of Dhrystone on every processor; wrong ports refuted; the models held against it."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from emu.cases.programs.sources import source_tree
from emu.cycles.base.counting import count_calls
from emu.cycles.base.model import CycleModel
from emu.cycles.models import model_for
from emu.cycles.pricing import price
from emu.machine import CPUS, BareMachine
from emu.program import read_elf
from emu.toolchain.builds import TARGETS, Build
from emu.toolchain.programs.gcc import compile_program
from emu.verify.runs.verdicts import VERIFIED
from tests.mac_src.ports import (
    MACS,
    Changes,
    case_of,
    not_refuted,
    verify_case,
    verify_ports,
    words,
)
from tests.rows import slow

NAME = "dhrystone"
SIZES = (0, 1, 3, 120)  # at 100 the choice of another branch begins to depend on the run
STRICT = ("-Wall", "-Wextra", "-Werror")

WRONG_PORTS: dict[str, Changes] = {
    "a text a letter too short": {
        "while ((*to++ = *from++) != 0)": "while ((*to++ = *from++) > 32)"
    },
    "texts compared the wrong way": {"CompareTexts(a, b) > 0": "CompareTexts(a, b) < 0"},
    "another choice": {"kSecond;\n        gFlag": "kThird;\n        gFlag"},
    "a sum without its two": {"Number more = a + 2;": "Number more = a + 1;"},
    "a row one further": {"row[at + 30] = at;": "row[at + 31] = at;"},
    "a column too few": {"i <= at + 1; ++i)": "i < at + 1; ++i)"},
    "a count that sticks": {"table[at][at - 1] += 1;": "table[at][at - 1] = 11;"},
    "the table's other half": {"table[at + 20][at] = row[at];": "table[at][at + 20] = row[at];"},
    "a record not copied": {"*record->next = *gRecord;": "next->variant = kFirst;"},
    "the older record first": {"gOlderRecord = &gRecords[1];": "gOlderRecord = &gRecords[0];"},
    "a choice like its neighbour": {"*picked = kSecond;": "*picked = kThird;"},
    "one letter less": {"gLetter2 = 'B';": "gLetter2 = 'A';"},
    "division the wrong way round": {"one = two / three;": "one = three / two;"},
    "a run too many": {"run <= gRuns; ++run": "run <= gRuns + 1; ++run"},
    "every run counted from nothing": {"int run = 1; run <=": "int run = 2; run <="},
    "a number kept": {"gNumber = 5;": ""},
}


@pytest.fixture(scope="module", autouse=True)
def every_compiler(compilers: Callable[..., None]) -> None:
    compilers(*MACS)


@pytest.mark.slow  # what is timed below is verified, too
def test_the_case_is_verified() -> None:
    results = verify_case(NAME, 16, SIZES)
    assert words(results) == {VERIFIED}
    assert len(results) == 6
    assert all(r.scenes == 16 and r.comparisons > 16 * 2500 for r in results)


@pytest.mark.slow
def test_wrong_ports_are_refuted(tmp_path: Path) -> None:
    results = verify_ports(NAME, WRONG_PORTS, tmp_path, 16, SIZES)
    assert len(results) >= 10
    assert not_refuted(results) == {}


@pytest.mark.parametrize("define", [(), ("-DTEXTS_AS_BLOCKS",)], ids=["loops", "blocks"])
@pytest.mark.parametrize("cpu", [*MACS, "host"])
def test_the_source_compiles_without_a_warning(
    tmp_path: Path, cpu: str, define: tuple[str, ...]
) -> None:
    compiler = ["g++"] if cpu == "host" else [TARGETS[cpu].compiler, *TARGETS[cpu].flags]
    if shutil.which(compiler[0]) is None:
        pytest.skip(f"{compiler[0]} is not installed")
    (source,) = case_of(NAME).path.parent.glob("*.cpp")
    command = [*compiler, "-O2", "-std=gnu++98", *STRICT, *define, "-c", str(source)]
    subprocess.run([*command, "-o", str(tmp_path / "made.o")], check=True, capture_output=True)


# -- the models ---------------------------------------------------------------------------------


def dhrystones(cpu: str, build: Build, model: CycleModel) -> float:
    """Predicted runs a second and megahertz; what is done before the first run does not count."""
    case = case_of(NAME)
    program = compile_program(source_tree(case), build, TARGETS[cpu])
    machine = BareMachine(read_elf(program.path), CPUS[cpu])
    routine = machine.program.function(case.call)
    cycles = []
    for runs in (20, 120):
        machine.globals["gRuns"][...] = runs
        cycles.append(price(count_calls(machine, routine, machine.data.copy()[None]), model).cycles)
    return 1e6 * 100 / (cycles[1] - cycles[0])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cpu", "lowest", "highest"),
    [
        # Published for an Amiga 4000 at 25 MHz: 18000, 20530 and 32809 Dhrystones a second.
        ("68040", 18000 / 25, 32809 / 25),
        # For an Amiga 2000 with fast memory at 7.09 MHz: 539, 1028 and 1408.
        slow(("68000", 539 / 7.09, 1408 / 7.09)),
    ],
)
def test_predictions_lie_among_the_published_figures(
    cpu: str, lowest: float, highest: float
) -> None:
    """Nobody tells their compiler, so they say no more than this: it is the right size."""
    case = case_of(NAME)
    builds = {**case.builds, **case.timing.builds}
    model = model_for(cpu)
    for name in ("O1", "O2", "O2-blocks"):
        assert lowest < dhrystones(cpu, builds[name], model) < highest, name


@pytest.mark.slow
def test_one_program_on_both_68k_models_is_as_much_faster_as_published() -> None:
    """The same code on both takes the compiler out of it: 32809 / 25 to 1408 / 7.09 is 6.6.

    The 68000's clocks are the manual's, exact; so this holds the 68040's model to something real.
    """
    case = case_of(NAME)
    published = (32809 / 25) / (1408 / 7.09)
    for name in ("O1", "O2", "period"):
        build = case.builds[name]
        slow, fast = (dhrystones("68000", build, model_for(cpu)) for cpu in ("68000", "68040"))
        assert fast / slow == pytest.approx(published, rel=0.2), name


@pytest.mark.slow
def test_what_the_601_is_predicted_to_do() -> None:
    """No figure of a 601 was found. This only keeps the prediction from changing unseen."""
    case = case_of(NAME)
    per_megahertz = {
        name: dhrystones("601", case.builds[name], model_for("601"))
        for name in ("O1", "O2", "period")
    }
    assert 1000 < per_megahertz["period"] < per_megahertz["O1"] < per_megahertz["O2"] < 1400
