"""Runs one program to its end and collects what it did."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from emu.base.arguments import path_of, require
from emu.base.errors import GuestError, UsageError
from emu.checks.levels import is_full
from emu.program.mac_file.mac_file import read_files_beside, read_volume_title
from emu.runner.code_places import CheckedCode, CodeBlocks, checked_code, executed_blocks
from emu.runner.ending import run_to_the_end
from emu.runner.film import FilmingUser, FilmScene
from emu.runner.replay import Replay, replay_of
from emu.toolbox.computer.clock import USUAL_STEP, CallClock, Clock, ModelClock, RealClock
from emu.toolbox.computer.empty_bus import EmptyBus
from emu.toolbox.computer.outputs import (
    ClosedWindow,
    MachineWish,
    ScreenPicture,
    Sound,
    console_text,
)
from emu.toolbox.computer.settings import Settings
from emu.toolbox.guest.findings import Mistake
from emu.toolbox.loader import load
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.files.errors import FileError
from emu.toolbox.managers.files.host_folder import is_valid_name
from emu.toolbox.users.checkpoints import ReplayProof
from emu.toolbox.users.descriptions.describing_user import DescribingUser
from emu.toolbox.users.exact_user import ExactUser
from emu.toolbox.users.patient_user import PatientUser
from emu.toolbox.users.saved_script import step_of
from emu.toolbox.users.script import Script, ScriptError


@dataclass(frozen=True, slots=True)
class RunRequest:
    """Which program to run, and how.

    Attributes:
        program: the file.
        cpu: the processor's name, or None for the program's usual one.
        settings: the user's choices; see `Settings`.
        clock: "calls", "model" or "real".
        step: microseconds that pass at each question for the time, for the clock "calls"; None for
            those of the recorded script, or else the usual ones.
        megahertz: the modelled processor's clock, for the clock "model"; None for the model's own.
        script: the script of the user's actions; None for a user who waits and then quits.
        output_file: a file on the program's volume whose contents count as its output; "" for none.
        symbols: the linked file with the program's symbols, or None for the one beside it.
        describe: whether to say what a user could do whenever the program only waits.
        checked: whether every access to memory is looked at.
        filmed: whether the screen is kept after each step of the user.
        may_be_exact: whether a recorded script may be repeated by its inputs, not its steps.
        compares: whether an exact replay is compared with its session.
    """

    program: Path
    cpu: str | None = None
    settings: Settings = field(default_factory=Settings)
    clock: str = "calls"
    step: int | None = None
    megahertz: float | None = None
    script: Path | None = None
    output_file: str = ""
    symbols: Path | None = None
    describe: bool = False
    checked: bool = False
    may_be_exact: bool = True
    compares: bool = True
    filmed: bool = False


@dataclass(frozen=True, slots=True)
class LoggedCall:
    """A line of the call log.

    Attributes:
        name: the routine.
        text: the call as text, with addresses replaced by numbers.
        plumbing: whether compilers' libraries make such calls, so that the call says nothing about
            the program.
    """

    name: str
    text: str
    plumbing: bool


@dataclass(frozen=True, slots=True)
class RunResult:
    """The result of a run.

    Attributes:
        program: the file.
        cpu: the processor's name.
        completed: whether the program came to its own end.
        problem: why the program could not go on, in several lines; "" if it could.
        exit_code: 0; 1 if the script failed; 4 if the program could not go on.
        console: what the program wrote to its console, if that could be read.
        windows: those that had a text or a picture, in the order they were closed.
        files: contents of files that the program made or changed, by path on the volume.
        output: contents of the request's output file, as text.
        pictures: pictures of windows and of the screen.
        findings: mistakes of the program that did not stop it.
        calls: how often each routine was called.
        log: every call, if a log was asked for.
        virtual_microseconds: how long the run took by the program's clock.
        by_asking: the part of this that passed because the program asked for the time.
        seconds: how long the run took in real time.
        steps: how many steps of the script were done, and how many there are.
        replay: how the script was replayed: "by exact inputs", or "by its steps", with the reason
            if it has exact inputs; "" without a script.
        proof: how much of the recorded session an exact replay was compared with, or None.
        film: what was done and what came of it, step by step, if it was asked for.
        is_late: whether the problem is that its time was over.
        wish: what shows that the program wants another Macintosh; None if nothing does, or if it
            has changed files of the host, so that it cannot begin again.
        instead_of: what was seen on another Macintosh before; "" if this is the only run.
        pictures_left_out: how many pictures were not kept, because there were too many.
        descriptions: what a user could do when the program only waited, if asked for, as YAML.
        code_blocks: where in memory the code lay that was executed.
        checked_code: how much code was executed with full checks; None without them.
        sounds: the sampled sounds that were played, in the order they were first played.
        serial, datagrams: what it wrote to serial ports, and as UDP packets, each a line.

    Example:
        >>> run = macproof.run_program("mac_src/prebuilt/mac/601/Four Shifts.bin")
        >>> run.exit_code, len(run.findings), run.windows[1].title
        (0, 0, 'Console')
    """

    program: Path
    cpu: str
    completed: bool
    problem: str
    exit_code: int
    console: str
    windows: tuple[ClosedWindow, ...]
    files: Mapping[str, bytes]
    output: str
    pictures: tuple[ScreenPicture, ...]
    findings: tuple[Mistake, ...]
    calls: Mapping[str, int]
    log: tuple[LoggedCall, ...]
    virtual_microseconds: int
    seconds: float
    steps: tuple[int, int]
    pictures_left_out: int
    descriptions: tuple[str, ...] = ()
    code_blocks: CodeBlocks = field(default_factory=CodeBlocks)
    checked_code: CheckedCode | None = None
    sounds: tuple[Sound, ...] = ()
    serial: bytes = b""
    datagrams: bytes = b""
    by_asking: int = 0
    replay: str = ""
    proof: ReplayProof | None = None
    film: tuple[FilmScene, ...] = ()
    is_late: bool = False
    wish: MachineWish | None = None
    instead_of: str = ""

    @property
    def text(self) -> str:
        """The text that the program put out: its console's, or else what it drew in windows."""
        return self.console or "".join(f"{window.text}\n" for window in self.windows if window.text)


@dataclass(frozen=True, slots=True)
class RunProgress:
    """How far a run is: Toolbox calls so far, and virtual microseconds."""

    calls: int
    virtual_microseconds: int


def make_clock(name: str, step: int | None = None, megahertz: float | None = None) -> Clock:
    """Make a clock by its name.

    Raises:
        UsageError: there is no such clock.
    """
    if name == "calls":
        return CallClock(step or USUAL_STEP)
    if name == "real":
        return RealClock()
    if name == "model":
        # Importing a model reads its tables, and only runs with this clock should wait for that.
        from emu.runner.model_meter import ModelMeter

        return ModelClock(ModelMeter(megahertz=megahertz))
    raise UsageError(f"there is no clock {name}; there are calls, model and real")


def run_program(
    program: Path | str,
    *,
    cpu: str | None = None,
    clock: str = "calls",
    megahertz: float | None = None,
    script: Path | str | None = None,
    settings: Settings | None = None,
    checks: str = "usual",
) -> RunResult:
    """Run a whole Mac program to its end, or as far as it goes, in a process of its own.

    Args:
        program: the application: MacBinary, AppleDouble, a disk image and others.
        cpu: the processor's name; the program's usual one if left out.
        clock: what makes time pass: "calls" (its questions for the time), "model" (executed code,
            by the processor's cycle model) or "real".
        megahertz: of the modelled processor, for the clock "model"; the model's own if left out.
        script: a file with what the user does; a patient user if left out.
        settings: the screen, the disk, and how long it may take.
        checks: "usual", or "full" to look at every access to memory too.

    Raises:
        UsageError: there is no such processor or clock, or checks are neither.
        ProgramError: the file is damaged, or no application.
        CaseError: the script is wrong.
        GuestError: the program brought the engine's process down.

    Example:
        >>> import macproof
        >>> run = macproof.run_program("mac_src/prebuilt/mac/68000/Four Shifts.bin")
        >>> run.completed, run.text.splitlines()[0], run.windows[1].picture.name
        (True, 'Collision testing...', '2-console')
    """
    request = RunRequest(
        path_of(program, "program"),
        None if cpu is None else require(cpu, str, "cpu", "the name of a processor"),
        Settings() if settings is None else require(settings, Settings, "settings", "Settings"),
        clock,
        megahertz=megahertz,
        script=None if script is None else path_of(script, "script"),
        checked=is_full(checks),
    )
    from emu.machine.guest_process import run_apart  # loads readers of all executables

    return run_apart(run_request, request)


def prepare(request: RunRequest) -> tuple[Macintosh, Replay]:
    """A Macintosh that is about to execute a program's first instruction, and who acts in the run.

    Raises:
        ProgramError: the file is damaged, or no application.
        CaseError: the script is wrong.
        UsageError: there is no such clock, or a file cannot be put on the program's disk.
    """
    script = Script(request.script) if request.script is not None else None
    if request.step is None and script is not None and script.recorded is not None:
        request = dataclasses.replace(request, step=step_of(script.recorded.machine))
    mac = load_request(request)
    replay = replay_of(
        mac,
        script,
        request.program,
        may_be_exact=request.may_be_exact,
        compares=request.compares,
    )
    mac.events.user = replay.user
    if request.checked:
        from emu.runner.memory_watch import MemoryWatch  # loads LLVM

        MemoryWatch(mac)
    return mac, replay


def run_request(
    request: RunRequest, on_progress: Callable[[RunProgress], None] = lambda progress: None
) -> RunResult:
    """Run a program until it ends or cannot go on.

    Raises:
        ProgramError: the file is damaged, or no application.
        CaseError: the script is wrong.
    """
    mac, replay = prepare(request)
    user = replay.user
    filming = FilmingUser(mac, user) if request.filmed else None
    describing = DescribingUser(mac, filming or user) if request.describe else None
    mac.events.user = describing or filming or user
    mac.on_heartbeat = lambda: on_progress(RunProgress(mac.calls.total(), mac.clock.approximate()))
    began = time.monotonic()
    ending = run_to_the_end(mac, user)
    if describing is not None and ending.stopped:
        describing.describe()
    if filming is not None:
        filming.finish(undone=ending.undone)
    result = _result(request, mac, replay, ending.problem, ending.code, time.monotonic() - began)
    return dataclasses.replace(
        result,
        is_late=ending.is_late,
        wish=None if mac.files.volume.has_changed_host else mac.outputs.wish,
        descriptions=tuple(describing.descriptions) if describing is not None else (),
        film=tuple(filming.scenes) if filming is not None else (),
    )


def load_request(request: RunRequest) -> Macintosh:
    """Load the program of a request, and put the files that it finds beside it on its disk.

    Raises:
        ProgramError: the file is damaged, or no application.
        UsageError: a file cannot be put on the disk.
    """
    mac = load(
        request.program,
        request.cpu,
        symbols=request.symbols,
        settings=request.settings,
        clock=make_clock(request.clock, request.step, request.megahertz),
    )
    EmptyBus(mac.host)
    _fill_disk(mac, request)
    return mac


def _fill_disk(mac: Macintosh, request: RunRequest) -> None:
    """Put files on the program's disk.

    Raises:
        UsageError: one of them cannot be put there.
    """
    try:
        if request.settings.folder is None:
            # A program from a disk image finds the other files of that image, which stays as it is,
            # by that disk's name too. It finds none that the host would hide: a disk that a newer
            # system has written to has a .DS_Store.
            mac.files.volume.name = read_volume_title(request.program) or mac.files.volume.name
            for file in read_files_beside(request.program):
                if is_valid_name(file.name.encode("mac_roman")):
                    mac.files.add_copy(file)
        if request.output_file:
            mac.files.add(request.output_file)
        if request.settings.documents:
            mac.documents.open(request.settings.documents, is_starting=True)
    except FileError as error:
        raise UsageError(
            f"a file cannot be put on the program's disk: {error.code.name.lower()}"
        ) from error


def _result(
    request: RunRequest,
    mac: Macintosh,
    replay: Replay,
    problem: str,
    code: int,
    seconds: float,
) -> RunResult:
    outputs = mac.outputs
    output = ""
    if request.output_file:
        try:
            output = console_text(mac.files.contents(request.output_file))
        except FileError:
            problem = problem or f"the program has deleted its output file {request.output_file}"
            code = code or ScriptError.exit_code
    steps = (0, 0)
    if not isinstance(replay.user, PatientUser):
        steps = (replay.user.steps_done, replay.user.total)
    return RunResult(
        program=request.program,
        cpu=mac.cpu.name,
        completed=not problem or code == ScriptError.exit_code,
        problem=problem,
        exit_code=code if code in (0, 1) else GuestError.exit_code,
        console=console_text(bytes(outputs.console)),
        windows=tuple(outputs.windows),
        files=mac.files.changed_files(),
        output=output,
        pictures=tuple(outputs.pictures),
        findings=tuple(outputs.findings.values()),
        calls=dict(mac.calls),
        log=tuple(
            LoggedCall(call.routine.name, str(call), mac.is_plumbing(call.routine.name))
            for call in (mac.log.calls if mac.log is not None else ())
        ),
        virtual_microseconds=mac.clock.approximate(),
        by_asking=mac.clock.by_asking,
        replay=replay.words,
        proof=replay.user.proof if isinstance(replay.user, ExactUser) else None,
        seconds=seconds,
        steps=steps,
        pictures_left_out=outputs.left_out,
        code_blocks=executed_blocks(mac),
        checked_code=checked_code(mac) if request.checked else None,
        sounds=tuple(outputs.sounds.values()),
        serial=bytes(outputs.serial),
        datagrams=bytes(outputs.datagrams),
    )
