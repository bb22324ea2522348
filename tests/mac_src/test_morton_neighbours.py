"""Neighbours of all 65,536 cells in guest code: right as corrected, wrong just as printed."""

from __future__ import annotations

import functools
import os
import subprocess
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import capstone
import numpy as np
import pytest
import yaml
from numpy.typing import NDArray

from emu.cases.programs.subject import Subject
from emu.machine import CPUS, BareMachine
from emu.program import read_elf
from emu.toolchain.builds import ALL_TARGETS
from emu.toolchain.sources import mac_sources
from emu.verify.batches.bench import Bench
from emu.verify.images.observations import observation
from emu.verify.runs.verdicts import REFUTED, VERIFIED, Result
from emu.verify.scenes.scene_plan import plan_scenes
from pyref.quadtree.linear_quadtree_measures import (
    NeighbourErrors,
    TopRightErrors,
    judge_neighbours,
    judge_top_right,
)
from pyref.quadtree.neighbour_search import make_cells
from tests.mac_src.ports import case_of, run_here, subject, subjects

FOLDER = mac_sources() / "linear_quadtree"
SOURCES = sorted(FOLDER.glob("*.cpp"))
CPUS_OF = {
    "morton-neighbours": ("68000", "68040", "601", "mips"),
    "morton-neighbours-as-printed": ("68000", "68040", "601", "mips"),
    "morton-neighbours-in-assembly": ("mips",),
    "morton-top-right-words": ("mips",),
}
ALL = 1 << 16
PRINTED_ERRORS = NeighbourErrors((ALL, ALL, ALL, 32768, 0, 32768, 0, 0), ALL, ALL, ALL, 0)
NO_ERRORS = NeighbourErrors((0,) * 8, 0, 0, 0, 0)

Every = dict[str, NDArray[np.int64]]
# `make test` has the findings; these compile and run each of them again, one by one.
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", autouse=True)
def every_compiler(compilers: Callable[..., None]) -> None:
    compilers("68000", "601", "mips")


@functools.cache
def every_code(name: str, cpu: str, build: str = "O2") -> Every:
    """What guest code leaves for all codes of 16 bits, in their order."""
    case = case_of(name)
    machine = BareMachine(read_elf(subject(case, cpu, build).program), CPUS[cpu])
    bench = Bench.lay(case, machine)
    scenes = [make_cells("every-code", 512, seed) for seed in range(128)]
    batch = machine.calls.run(bench.bound.calls.first, bench.before(scenes).before)
    assert batch.completed == 128
    assert not batch.violations
    seen: dict[str, list[NDArray[Any]]] = {}
    for image in batch.after:
        for variable, values in observation(bench.bound, image).items():
            seen.setdefault(variable, []).append(values)
    joined = {n: np.concatenate(v) for n, v in seen.items() if v[0].ndim}
    assert np.array_equal(joined["gCodes"], np.arange(ALL))
    return joined


# -- the cases ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CPUS_OF)
def test_every_form_is_verified(name: str):
    case = case_of(name)
    assert case.cpus == CPUS_OF[name]
    programs = subjects(case, case.cpus, ("O2", "period"))
    results = run_here(case, programs, plan_scenes(case, 6, 1994))
    assert {r.verdict for r in results} == {VERIFIED}
    assert all(r.scenes == 6 and r.comparisons > 6 * 512 for r in results)


@pytest.mark.parametrize("name", CPUS_OF)
def test_the_scenes_that_verify_runs_hold_every_code(name: str):
    case = case_of(name)
    plan = plan_scenes(case, case.scene_count, 1994)
    scenes = [make_cells(spec.generator, spec.objects, spec.seed) for spec in plan]
    assert len({code for scene in scenes for code in scene.codes.tolist()}) == ALL
    assert {spec.seed % 2 for spec in plan} == {0, 1}


# -- what guest code makes of every code -----------------------------------------------------------


@pytest.mark.parametrize("cpu", CPUS_OF["morton-neighbours"])
@pytest.mark.parametrize("build", ["O0", "O2"])
def test_plain_code_on_unsigned_numbers_is_right(cpu: str, build: str):
    """So no assembler is needed, and no compiler spoils it: defect Q2."""
    assert judge_neighbours(every_code("morton-neighbours", cpu, build)["gToroidal"]) == NO_ERRORS


@pytest.mark.parametrize("cpu", CPUS_OF["morton-neighbours"])
@pytest.mark.parametrize("build", ["O0", "O2"])
def test_the_listings_are_wrong_and_their_repairs_right(cpu: str, build: str):
    """Defects Q1, Q4 and Q5, and Q12: half of all codes come back negative."""
    found = every_code("morton-neighbours-as-printed", cpu, build)
    assert judge_top_right(found["gTopRightPrinted"]) == TopRightErrors(32768, 32768, 32768)
    assert judge_top_right(found["gTopRightRepaired"]) == TopRightErrors(0, 0, 0)
    assert judge_neighbours(found["gPrinted"]) == PRINTED_ERRORS
    assert judge_neighbours(found["gRepaired"]) == NO_ERRORS
    right = every_code("morton-neighbours", cpu, build)["gToroidal"][:, 2]
    assert (found["gTopRightRepaired"] < 0).sum() == 32768
    assert (found["gTopRightRepaired"] != right).sum() == 32768


@pytest.mark.parametrize("build", ["O0", "O2", "period"])
def test_registers_decide_what_the_assembly_does(build: str):
    """Defects Q4, Q5 and Q6 in MIPS assembly."""
    found = every_code("morton-neighbours-in-assembly", "mips", build)
    assert judge_neighbours(found["gApart"]) == PRINTED_ERRORS
    assert judge_neighbours(found["gRepaired"]) == NO_ERRORS
    assert judge_neighbours(found["gShared"]).wrong_rows == 65280


# -- the printed words ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def printed() -> Mapping[str, Any]:
    return yaml.safe_load((FOLDER / "top_right_words.yaml").read_text())


@pytest.mark.parametrize("build", ["O0", "O1", "O2", "Os", "period"])
def test_the_words_are_the_expression_on_every_code(build: str):
    """Defect Q2: the compiler did what the expression says; Q1: which is wrong for odd columns."""
    found = every_code("morton-top-right-words", "mips", build)
    assert len(found["gWords"]) == ALL
    assert np.array_equal(found["gWords"], found["gExpression"])
    assert judge_top_right(found["gWords"]) == TopRightErrors(32768, 32768, 32768)
    assert judge_top_right(found["gRepaired"]) == TopRightErrors(0, 0, 0)


@pytest.mark.parametrize("cpu", CPUS_OF["morton-neighbours-as-printed"])
def test_the_words_are_the_expression_of_every_processor(cpu: str):
    words = every_code("morton-top-right-words", "mips")["gWords"]
    expression = every_code("morton-neighbours-as-printed", cpu)["gTopRightPrinted"]
    assert np.array_equal(words, expression)


def test_the_words_that_run_are_the_words_as_printed(printed: Mapping[str, Any]):
    case = case_of("morton-top-right-words")
    program = read_elf(subject(case, "mips", "O2").program)
    machine = BareMachine(program, CPUS["mips"])
    code = machine.memory.view(program.function("TopRightOfWords"), 44).tobytes()
    assert code.hex() == "".join(printed["words"])
    text = (FOLDER / "top_right_words.cpp").read_text()
    assert all(text.count(f"0x{word}") == printed["words"].count(word) for word in printed["words"])


def test_the_listing_shows_what_its_words_mean(printed: Mapping[str, Any]):
    """Claim Q3: there is no error in the listing; its last word needs release 2 of MIPS32."""
    code = bytes.fromhex("".join(printed["words"]))
    assert len(code) == 44
    decoder = capstone.Cs(
        capstone.CS_ARCH_MIPS,
        capstone.CS_MODE_MIPS32 | capstone.CS_MODE_BIG_ENDIAN,
    )
    decoded = [f"{i.mnemonic} {i.op_str}".replace("$", "") for i in decoder.disasm(code, 0)]
    expected = list(printed["instructions"])
    assert len(decoded) == len(expected) == 11
    for one, other in zip(decoded, expected, strict=True):
        assert _plain(one) == _plain(other)


def _plain(instruction: str) -> list[Any]:
    """An instruction as its parts, numbers as numbers, and LI as the ADDIU that it is."""
    mnemonic, *operands = instruction.replace(",", " ").split()
    if mnemonic == "li":
        mnemonic, operands = "addiu", [operands[0], "zero", operands[1]]
    return [mnemonic, *(int(o, 0) if o[0] in "-0123456789" else o for o in operands)]


def test_one_changed_word_is_found_out(tmp_path: Path):
    text = (FOLDER / "top_right_words.cpp").read_text()
    assert text.count("0x24840001") == 1
    folder = tmp_path / "changed"
    folder.mkdir()
    (folder / "top_right_words.cpp").write_text(text.replace("0x24840001", "0x2484ffff"))
    case = case_of("morton-top-right-words")
    changed = subject(case, "mips", source=folder / "top_right_words.cpp")
    (result,) = run_here(case, [changed], plan_scenes(case, 4, 0))
    assert result.verdict == REFUTED


# -- what a compiler makes of the constraints ------------------------------------------------------


@pytest.mark.parametrize(("constraint", "accepted"), [("=r", True), ("=&r", False)])
def test_without_early_clobber_a_register_may_be_shared(
    tmp_path: Path, constraint: str, accepted: bool
):
    """Defect Q6: only an early clobber has the compiler refuse the input's register."""
    source = tmp_path / "shared.cpp"
    source.write_text(f"""
unsigned Row(unsigned code)
{{
    register unsigned m asm("$4") = code;
    register unsigned across asm("$4");
    unsigned down;
    asm volatile("ori %0, %2, 0xaaaa\\n\\tori %1, %2, 0x5555"
                 : "{constraint}" (across), "{constraint}" (down) : "r" (m));
    return down & 0xaaaa;
}}
""")
    target = ALL_TARGETS["mips"]
    command = [target.compiler, *target.flags, "-fno-pic", "-O2", "-w", "-c", str(source)]
    done = subprocess.run(
        [*command, "-o", str(tmp_path / "shared.o")], capture_output=True, text=True, check=False
    )
    assert (done.returncode == 0) is accepted
    assert accepted or "earlyclobber" in done.stderr


# -- bad ports ---------------------------------------------------------------------------------

# Text of dilated.h and what stands there instead; each must be there just once.
BAD_HEADERS: Mapping[str, tuple[str, str]] = {
    "no way for the carry": ("((m | kind::kMaskY) + 1)", "((m & kind::kMaskX) + 1)"),
    "borrow into gaps of ones": ("((m & kind::kMaskX) - 1)", "((m | kind::kMaskY) - 1)"),
    "minus one as printed": ("((m & kind::kMaskX) - 1)", "((m & kind::kMaskX) + 1)"),
    "carry not cleared": (
        "((((m | kind::kMaskX) + 2) & kind::kMaskY) |",
        "(((m | kind::kMaskX) + 2) |",
    ),
    "two rows up": ("((m & kind::kMaskY) - 2)", "((m & kind::kMaskY) - 8)"),
    "column forgotten": ("& kind::kMaskY) | (m & kind::kMaskX));\n}\n\n// The", "& kind::kMaskY));"
    "\n}\n\n// The"),
    "left and right exchanged": ("kTopLeft, kTop, kTopRight, kLeft, kRight,",
                                 "kTopLeft, kTop, kTopRight, kRight, kLeft,"),
    "wide codes of 16 bits": ("kMaskX = 0x55555555U", "kMaskX = 0x00005555U"),
    "x and y exchanged": (
        "enum { kMaskX = 0x5555, kMaskY = 0xaaaa }",
        "enum { kMaskX = 0xaaaa, kMaskY = 0x5555 }",
    ),
    "no upper border": ("if ((m & kind::kMaskY) == 0)", "if (false)"),
    "right border a column early": (
        "if ((m & kind::kMaskX) == kind::kMaskX)",
        "if ((m & kind::kMaskX) == (kind::kMaskX & ~1))",
    ),
    "a corner forgotten": (
        "kBottomRow   = 1 << kBottomLeft | 1 << kBottom | 1 << kBottomRight",
        "kBottomRow   = 1 << kBottomLeft | 1 << kBottom",
    ),
}  # fmt: skip
HARMLESS: Mapping[str, tuple[str, str]] = {
    # Gaps filled with ones pass a one on, and cleared ones a borrow.
    "a one from the gap below": ("((m | kind::kMaskX) + 2)", "((m | kind::kMaskX) + 1)"),
    "a borrow from the gap below": ("((m & kind::kMaskY) - 2)", "((m & kind::kMaskY) - 1)"),
}


@pytest.fixture(scope="module")
def of_ports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Result]:
    """All ports in one run, each on one processor in turn."""
    case = case_of("morton-neighbours")
    header = (FOLDER / "dilated.h").read_text()
    folder = tmp_path_factory.mktemp("ports")

    def port(number: int, name: str, old: str, new: str) -> Subject:
        assert header.count(old) == 1, f"{old!r} is there {header.count(old)} times"
        own = folder / name.replace(" ", "_")
        own.mkdir()
        (own / "dilated.h").write_text(header.replace(old, new))
        (own / "neighbours.cpp").write_text((FOLDER / "neighbours.cpp").read_text())
        cpu = ("68040", "601", "mips")[number % 3]
        return subject(case, cpu, "O1", name=name, source=own / "neighbours.cpp")

    ports = {**BAD_HEADERS, **HARMLESS}
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        jobs = [threads.submit(port, n, k, *ports[k]) for n, k in enumerate(ports)]
        programs = [job.result() for job in jobs]
    # The pieces at the seeds 0, 42, 85 and 127 hold the corners of the plane.
    specs = [s for s in plan_scenes(case, 128, 0) if s.seed in (0, 1, 42, 85, 126, 127)]
    return dict(zip(ports, run_here(case, programs, specs), strict=True))


@pytest.mark.parametrize("name", BAD_HEADERS)
def test_a_bad_port_is_refuted(of_ports: dict[str, Result], name: str):
    assert of_ports[name].verdict == REFUTED
    assert of_ports[name].failures


@pytest.mark.parametrize("name", HARMLESS)
def test_another_unit_is_as_good(of_ports: dict[str, Result], name: str):
    assert of_ports[name].verdict == VERIFIED


# -- sources -----------------------------------------------------------------------------------


def test_some_sources_are_for_one_processor():
    names = {source.name: "#ifndef __mips__" in source.read_text() for source in SOURCES}
    assert names == {
        "assembly.cpp": True,
        "linear_quadtree.cpp": False,
        "neighbours.cpp": False,
        "top_right_words.cpp": True,
        "trivial_loops.cpp": False,
    }


@pytest.mark.parametrize("source", SOURCES, ids=lambda p: p.name)
@pytest.mark.parametrize("cpu", ["68000", "601", "mips", "host"])
def test_compilers_take_the_sources_without_a_warning(tmp_path: Path, cpu: str, source: Path):
    found = ALL_TARGETS.get(cpu)
    target = [found.compiler, *found.flags] if found else ["g++"]
    compat = ["-Dmacintosh", "-I", str(mac_sources() / "compat")] if cpu != "host" else []
    command = [*target, "-fno-pic", "-O2", "-Wall", "-Wextra", "-Werror"]
    made = tmp_path / "made.o"
    for standard in ("gnu++98", "gnu++17"):
        done = subprocess.run(
            [*command, f"-std={standard}", *compat, "-c", str(source), "-o", str(made)],
            capture_output=True,
            text=True,
            check=False,
        )
        if cpu != "mips" and "#ifndef __mips__" in source.read_text():
            assert done.returncode
            assert "for MIPS" in done.stderr
        else:
            assert (done.returncode, done.stderr) == (0, "")
