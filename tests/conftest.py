"""What tests of several folders share: compilers, caches, the post of 1994, the command line."""

from __future__ import annotations

import dataclasses
import functools
import gc
import multiprocessing
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import hypothesis
import pytest
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

from emu.base.errors import ToolMissingError
from emu.cases.case import Case
from emu.cases.find import load_case
from emu.cases.programs.sources import source_tree
from emu.cases.programs.subject import Subject
from emu.checks.levels import USUAL, level_of
from emu.cli import main
from emu.machine import CPUS, BareMachine
from emu.program import read_elf
from emu.report.plots.plot_files import panel_svgs, plot_file
from emu.toolchain.builds import TARGETS, Build, targets_of
from emu.toolchain.compiler_choice import FAMILIES, variable_of
from emu.toolchain.programs.gcc import compile_program
from emu.toolchain.programs.prebuilt import Provision, provide
from emu.toolchain.retro68 import RETRO68, retro68_compiler
from emu.toolchain.sources import mac_sources
from emu.verify import verification
from emu.verify.batches.bench import Bench
from tests.kept_workers import KeptWorkers, parse_each_program_once
from tests.small_cases import SmallCases, require_compilers

pytest_plugins = ["pytester", "tests.independence", "tests.shared_collection"]

ROOT = Path(__file__).parents[1]
# How long an example takes depends on what else the machine does. Properties are tried with a few
# examples by `make test`, and by `make test-slow`, which names the profile, with all.
# The first two try the same examples in every run, so that a commit passes or fails once for all.
# `explore` tries others each time: what it finds becomes an @example.
hypothesis.settings.register_profile("quick", deadline=None, max_examples=12, derandomize=True)
hypothesis.settings.register_profile("thorough", deadline=None, derandomize=True)
hypothesis.settings.register_profile("explore", deadline=None, max_examples=1_000)
hypothesis.settings.load_profile("quick")
# Hundreds of tests start worker processes. Where these are copies of one process, it imports what
# they all need, once.
multiprocessing.set_forkserver_preload(
    [
        "posts.audit.run",
        "posts.timing.harness",
        "emu.timing.predict",
        "posts.comparison.run",
        "emu.verify.runs.schedule",
        "emu.verify.verification",
        "emu.runner.runner",
        "emu.machine.engine.hooks.edge_hook",  # imported late where nothing may be counted
        "capstone",  # likewise where nothing is disassembled
        "jsonschema",  # likewise where no case is read
        "pytest",  # by the modules of tests whose functions are called in workers
        "tests.frozen",
    ]
)

# Tests live as long as the session: to look for garbage in all of them takes a tenth of its time.
gc.disable()


def pytest_collection() -> None:
    """The same examples in each run.

    Hypothesis also tries numbers and texts that it reads in the modules that are imported, which
    depend on the tests before. To read them takes 4 s of processor time the first time.
    """
    if hypothesis.settings().derandomize:
        providers._get_local_constants = Constants


def pytest_collection_finish() -> None:
    """From now on only what tests make is looked through, and seldom.

    Python would look after every 700 new objects, which takes a tenth of the processor time.
    """
    gc.freeze()
    gc.set_threshold(10_000)
    gc.enable()


PREBUILT = mac_sources() / "prebuilt"
FOUR_SHIFTS = mac_sources() / "four_shifts"


@dataclasses.dataclass(frozen=True)
class Outcome:
    """How a command ended."""

    code: int
    out: str
    err: str


Changes = Mapping[str, str]


@pytest.fixture(scope="session", autouse=True)
def session_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Compiled programs of this run; neither the user's cache nor another run can vouch for one."""
    own = tmp_path_factory.getbasetemp()
    base = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own  # others of this run share it
    # Continuous integration names one that it has filled with programs of these sources.
    folder = Path(os.environ.get("MACPROOF_TEST_CACHE", base / "cache"))
    folder.mkdir(exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MACPROOF_CACHE", str(folder))
        yield folder


@pytest.fixture(scope="session", autouse=True)
def usual_compilers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Those in PATH, whatever the user's environment and configuration file name."""
    configuration = tmp_path_factory.mktemp("configuration") / "config.yaml"
    configuration.write_text("")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MACPROOF_CONFIG", str(configuration))
        for family in FAMILIES:
            patch.delenv(variable_of(family), raising=False)
        # Tests of Retro68 itself need the variable; it only does not choose the compiler of cases.
        patch.setattr("emu.toolchain.compiler_choice.retro68_by_environment", str)
        yield


@pytest.fixture(scope="session")
def retro68_folder() -> Path:
    """The folder of a Retro68 toolchain that has a 68K compiler."""
    folder = os.environ.get(RETRO68)
    if not folder:
        pytest.skip(f"{RETRO68} does not name the folder of a Retro68 toolchain")
    if not retro68_compiler(Path(folder), "m68k").exists():
        pytest.skip(f"{folder}, which {RETRO68} names, has no compiler for the 68K")
    return Path(folder)


@pytest.fixture(scope="session")
def retro68_powerpc(retro68_folder: Path) -> Path:
    """Retro68's PowerPC compiler."""
    path = retro68_compiler(retro68_folder, "powerpc")
    if not path.exists():
        pytest.skip(f"{retro68_folder}, which {RETRO68} names, has no compiler for the PowerPC")
    return path.absolute()


@pytest.fixture
def isolated_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache for one test."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("MACPROOF_CACHE", str(folder))
    return folder


@pytest.fixture(scope="session")
def compilers() -> Callable[..., None]:
    """Skips where the cross compilers of these CPUs, or of all, are not installed."""
    return require_compilers


@pytest.fixture(scope="session")
def post() -> Path:
    """The reader's copy of the newsgroup post."""
    chosen = os.environ.get("MACPROOF_POST")
    if not chosen:
        pytest.skip(
            "set MACPROOF_POST to your copy of the post (macproof import takes the listing out "
            "of it)"
        )
    return Path(chosen)


@pytest.fixture(scope="session")
def collection() -> Path:
    """The reader's copy of the discs with programs of the time."""
    chosen = os.environ.get("MACPROOF_COLLECTION")
    if not chosen or not Path(chosen).is_dir():
        pytest.skip(
            "set MACPROOF_COLLECTION to a folder with the discs Apprentice (1994) and Apprentice 3 "
            "(1995)"
        )
    return Path(chosen)


@pytest.fixture(scope="session")
def case() -> Case:
    """The case that comes with macproof."""
    return load_case("four-shifts")


def prebuilt_or_compiled(case: Case, cpus: Sequence[str], builds: Sequence[Build]) -> Provision:
    """Prebuilt programs; of sources that were changed since, compiled ones."""
    tree = source_tree(case)
    try:
        return provide(case.name, tree, targets_of(cpus), builds, PREBUILT, use="prebuilt")
    except ToolMissingError:
        require_compilers(*cpus)
        return provide(case.name, tree, targets_of(cpus), builds, PREBUILT, use="compiled")


@pytest.fixture(scope="session")
def provision() -> Callable[[Case, Sequence[str], Sequence[Build]], Provision]:
    """See `prebuilt_or_compiled`."""
    return prebuilt_or_compiled


@pytest.fixture(scope="session")
def prebuilt(case: Case) -> Callable[..., list[Subject]]:
    """Prebuilt programs as `verify` takes them, of some CPUs and builds."""

    def give(cpus: tuple[str, ...] = tuple(TARGETS), builds: tuple[str, ...] = ()) -> list[Subject]:
        chosen = [case.builds[name] for name in builds or case.builds]
        found = prebuilt_or_compiled(case, cpus, chosen)
        return [Subject(p.cpu, p.build, p.path) for p in found.programs]

    return give


@pytest.fixture(scope="session")
def bind_case(case: Case, prebuilt: Callable[..., list[Subject]]) -> Callable[..., Bench]:
    """A case, the shipped one or another, on a new machine with a prebuilt program."""

    def bind(cpu: str, build: str = "O2", case: Case = case) -> Bench:
        (subject,) = prebuilt((cpu,), (build,))
        return Bench.lay(case, BareMachine(read_elf(subject.program), CPUS[cpu], heap_size=0))

    return bind


@pytest.fixture(scope="session")
def changed() -> Callable[[Changes], str]:
    """The text of our port with some pieces replaced, each of which must be there just once."""
    original = (FOUR_SHIFTS / "four_shifts.cpp").read_text()

    def change(changes: Changes) -> str:
        for old in changes:
            assert original.count(old) == 1, f"{old!r} is there {original.count(old)} times"
        # All at once, so that pieces can change places.
        pattern = "|".join(map(re.escape, changes))
        text = re.sub(pattern, lambda match: changes[match[0]], original)
        assert text != original
        return text

    return change


@pytest.fixture(scope="session")
def compile_ports(
    case: Case, tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., dict[tuple[str, str, str], Subject]]:
    """Compiles sources, by name; subjects by (name, CPU, build)."""

    def compile_all(
        texts: Mapping[str, str], cpus: tuple[str, ...], builds: tuple[str, ...]
    ) -> dict[tuple[str, str, str], Subject]:
        require_compilers(*cpus)
        folder = tmp_path_factory.mktemp("ports")
        for name, text in texts.items():
            (folder / f"{name}.cpp").write_text(text)
        wanted = [(name, cpu, build) for name in texts for cpu in cpus for build in builds]

        def compile_one(what: tuple[str, str, str]) -> Subject:
            name, cpu, build = what
            tree = source_tree(case, folder / f"{name}.cpp")
            program = compile_program(tree, case.builds[build], TARGETS[cpu])
            return Subject(cpu, f"{build} {name}", program.path)

        with ThreadPoolExecutor(os.cpu_count()) as threads:
            return dict(zip(wanted, threads.map(compile_one, wanted), strict=True))

    return compile_all


@pytest.fixture(scope="module")
def small_cases(tmp_path_factory: pytest.TempPathFactory) -> SmallCases:
    """Cases in a folder of their own."""
    return SmallCases(tmp_path_factory.mktemp("small"))


@pytest.fixture(scope="session")
def kept_workers() -> Iterator[KeptWorkers]:
    """Worker processes for all tests that are run in this process."""
    kept = KeptWorkers()
    yield kept
    kept.end()


@pytest.fixture(scope="session", autouse=True)
def one_worker_where_nobody_says_how_many() -> Iterator[None]:
    """The processes that run the tests keep the processors busy already."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("emu.base.processes.workers.default_jobs", lambda: 1)
        yield


@pytest.fixture(autouse=True)
def keeps_workers(kept_workers: KeptWorkers, monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls that are made in worker processes are made in those that are kept."""
    monkeypatch.setattr("emu.base.processes.workers.worker_pool", kept_workers.lend)


@pytest.fixture
def every_access_checked() -> None:
    """A quick test with this verifies as users do; see `quick_verdicts`."""


@pytest.fixture(autouse=True)
def quick_verdicts(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Quick tests verify without a look at every access to memory, unless they say which checks.

    For that a program is translated, which takes half a second: more than all else that such a test
    does. What verdicts say of memory is tested with it, and so is everything in the slow tests.
    """
    marked = request.node.get_closest_marker("slow") is not None
    if not marked and "every_access_checked" not in request.fixturenames:
        monkeypatch.setattr(verification, "level_of", lambda level: level_of(level or USUAL))


@pytest.fixture(scope="session", autouse=True)
def untranslated() -> Iterator[None]:
    """argparse looks for the file of a translation each time that it has something to say."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("argparse._", str)
        yield


@pytest.fixture(scope="session", autouse=True)
def plots_drawn_once() -> Iterator[None]:
    """A plot that was drawn for one report is not drawn again for another."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("emu.report.plots.plot_files.plot_file", functools.cache(plot_file))
        patch.setattr("emu.report.forms.html_plot.panel_svgs", functools.cache(panel_svgs))
        yield


@pytest.fixture(scope="session", autouse=True)
def programs_parsed_once() -> Iterator[None]:
    """Most tests read programs that another has read; to parse one takes as long as to run it."""
    with pytest.MonkeyPatch.context() as patch:
        parse_each_program_once(patch)
        yield


def run_main(capture: pytest.CaptureFixture[str], *words: str | Path) -> Outcome:
    """Run a command in this process."""
    capture.readouterr()
    try:
        code = main([str(word) for word in words])
    except SystemExit as end:  # argparse's way of saying no
        code = int(end.code or 0)
    out, err = capture.readouterr()
    assert "Traceback" not in out + err
    return Outcome(code, out, err)


@pytest.fixture
def macproof(capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """Runs a command in this process."""
    return functools.partial(run_main, capsys)


@pytest.fixture
def macproof_apart() -> Callable[..., Outcome]:
    """Runs a command in a process of its own, as a person does."""

    def run(*words: str | Path, **environment: str) -> Outcome:
        done = subprocess.run(
            [sys.executable, "-m", "emu.cli", *map(str, words)],
            cwd=ROOT,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        assert "Traceback" not in done.stdout + done.stderr
        return Outcome(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C interrupts this process and those it starts, as it does in a terminal.

    A shell starts jobs in the background with SIGINT ignored, and processes inherit that.
    """
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, usual)


@pytest.fixture
def no_compilers(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without cross compilers."""
    monkeypatch.setattr("emu.toolchain.compilers.find.compiler_version", lambda command: None)


# Ways to break our port. Each is text of it and what stands there instead; `changed` sees to it
# that the text is there exactly once.

_HEADER = '#include "four_shifts.h"\n'
_BEGIN = "void _DetermineCollisions()\n{\n"
_SHIFTS = {
    "00": "UpdateSectors(0,    0);     _UpdateCollisionArray();",
    "0h": "UpdateSectors(0,    half);  _UpdateCollisionArray();",
    "h0": "UpdateSectors(half, 0);     _UpdateCollisionArray();",
    "hh": "UpdateSectors(half, half);  _UpdateCollisionArray();",
}
_FILE_IN_FRONT = "        o->sector_link = *head;\n        *head = o;"
_FILE_AT_THE_END = (
    "        while (*head != NULL)\n            head = &(*head)->sector_link;\n"
    "        o->sector_link = NULL;\n        *head = o;"
)
_ASSEMBLER = (
    _HEADER + "#ifdef powerc\n"
    '#define CLOBBER asm volatile("li 20,77")\n'
    '#define ILLEGAL asm volatile(".long 0")\n'
    "#define DIE\n"
    "#else\n"
    '#define CLOBBER asm volatile("move.l #77,%d5")\n'
    '#define ILLEGAL asm volatile("illegal")\n'
    # Minus 2 to the 31st by minus 1: the host's own division traps, inside the engine.
    '#define DIE asm volatile("move.l #0x80000000,%%d0\\n\\tdivs.l #-1,%%d0" : : : "d0", "cc")\n'
    "#endif\n"
)


def _first(code: str, before: str = "") -> dict[str, str]:
    return {_BEGIN: f"{before}\n{_BEGIN}    {code}\n", _HEADER: _ASSEMBLER}


def _last(code: str) -> dict[str, str]:
    return {_SHIFTS["hh"]: f"{_SHIFTS['hh']}\n    {code}", _HEADER: _ASSEMBLER}


BROKEN_PORTS: Mapping[str, Changes] = {
    **{f"no shift {name}": {call: ""} for name, call in _SHIFTS.items()},
    "other order": {_SHIFTS["h0"]: _SHIFTS["hh"], _SHIFTS["hh"]: _SHIFTS["h0"]},
    "touching collides": {"_Abs(a->x - b->x) < kRectSize\n": "_Abs(a->x - b->x) <= kRectSize\n"},
    "sectors not cleared": {"gSectorArray[x][y] = NULL;": ";"},
    "flags not cleared": {"memset(gCollisionArray, 0, sizeof gCollisionArray);": ""},
    "one flag of two": {"gCollisionArray[a - gObjects] = 1;": ""},
    "sectors of 128": {">> kLog2SectorSize]\n": ">> (kLog2SectorSize + 1)]\n"},
    "first in first out": {_FILE_IN_FRONT: _FILE_AT_THE_END},
    "rows for columns": {
        "gSectorArray[(o->x + xoff)": "gSectorArray[(o->y + xoff)",
        " " * 34 + "[(o->y + yoff)": " " * 34 + "[(o->x + yoff)",
    },
    "list not ended": {"o->sector_link = *head;": "if (*head != NULL) o->sector_link = *head;"},
    "one byte past": _last("gCollisionArray[kMaxObjects] = 1;"),
    "input changed": _last("gObjects[3].x += 1;"),
    "list cut": _last("gObjects[0].obj_link = NULL;"),
    "register clobbered": _last("CLOBBER;"),
    "never returns": _first("for (;;) ;"),
    "sometimes a stray store": _first(
        "if (gObjects[99].obj_link == NULL) *(volatile long*) 0x300000 = 1;"
    ),
    "no end of calls": _first(
        "Deeper(1);",
        "int Deeper(volatile int n)\n"
        "{ volatile int room[64]; room[n & 63] = n; return Deeper(n + 1) + room[0]; }",
    ),
    "jump to 0": _first("void (*volatile nowhere)() = 0; nowhere();"),
    "stray store": _first("*(volatile long*) 0x300000 = 1;"),
    "store into code": _first("*(volatile char*) 0x10010 = 1;"),
    "stack smashed": _first(
        "volatile char room[8]; for (int i = 0; i < 64; i++) ((volatile char*) room)[i] = 0x41;"
    ),
    "division by zero": _first("volatile long zero = 0; volatile long sink = 5 / zero;"),
    "illegal instruction": _first("ILLEGAL;"),
    "no instruction": _first("ILLEGAL;"),
    "kills the engine": _first("DIE;"),
    "kills the engine late": _first("if (gObjects[99].obj_link == NULL) { DIE; }"),
}


@pytest.fixture(scope="session")
def broken_port(changed: Callable[[Changes], str]) -> Callable[[str], str]:
    """The text of one of `BROKEN_PORTS`."""
    return lambda name: changed(BROKEN_PORTS[name])
