"""``macproof run``: what it prints, writes and ends with."""

from __future__ import annotations

import functools
import json
import re
import signal
import struct
import time
import wave
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from emu.commands.programs.run import on_the_host
from emu.program.mac_file.resource_fork import Resource
from tests.processes import Family, wait_until
from tests.program.code_samples import write_application
from tests.report import schemas

PROGRAMS = Path(__file__).parents[2] / "programs" / "mac"
DRAWING = {cpu: PROGRAMS / "prebuilt" / cpu / "drawing.bin" for cpu in ("68000", "601")}
STDIO = PROGRAMS / "prebuilt" / "601" / "stdio.bin"
MENUS = PROGRAMS / "prebuilt" / "68000" / "menus.bin"
Command = Callable[..., object]

EXIT_TO_SHELL = "a9f4"


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], Path]:
    """An application whose only segment is this code."""

    return functools.partial(write_application, tmp_path)


def test_a_program_that_does_nothing_wrong_ends_with_0(macproof, program) -> None:
    done = macproof("run", program(EXIT_TO_SHELL))
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("test.bin on the 68040\n")
    last = done.out.splitlines()[-1]
    assert re.fullmatch(r"ended by itself in .* s \(2 Toolbox calls of 2 routines, .*\)", last)


# PBOpen (".AOut"), PBWrite of four bytes, ExitToShell; the block lies on the stack
MODEM = (
    "4fefffb0 204f 43fa0020 21490012 4228001b a000 43fa0018 21490020 217c000000040024 a003 a9f4 "
    "052e414f7574 41545a0d"
)


def test_what_goes_out_of_the_serial_port_is_written(macproof, tmp_path) -> None:
    path = write_application(tmp_path, MODEM)
    done = macproof("run", path, "--serial", tmp_path / "modem", "--datagrams", tmp_path / "udp")
    assert done.code == 0
    assert "to the serial ports: 4 bytes, which --serial keeps" in done.out
    assert (tmp_path / "modem").read_bytes() == b"ATZ\r"
    assert (tmp_path / "udp").read_bytes() == b"", "nothing was sent"


@pytest.mark.slow
def test_what_it_prints_comes_first_and_alone_if_asked(macproof) -> None:
    text = macproof("run", STDIO, "--quiet").out
    assert text
    assert "Toolbox calls" not in text
    assert macproof("run", STDIO).out.startswith(text)


@pytest.mark.slow
def test_an_expected_text_is_looked_for(macproof) -> None:
    first, second = macproof("run", STDIO, "--quiet").out.splitlines()[:2]
    assert macproof("run", STDIO, "--expect", f"{first}\\n{second}").code == 0
    done = macproof("run", STDIO, "--expect", "nobody prints this")
    assert done.code == 1
    assert "its output does not contain 'nobody prints this'" in done.out


@pytest.mark.slow
def test_what_a_user_could_do_is_described_as_steps_of_a_script(macproof, tmp_path) -> None:
    report = tmp_path / "report.json"
    text = macproof("run", MENUS, "--describe", "--json", report).out
    assert '  - menu: ["File", "Check"]\n' in text
    script = tmp_path / "script.yaml"
    described = json.loads(report.read_text())["descriptions"]
    quits = [line for line in described[-1].splitlines() if "Quit" in line]
    script.write_text("schema: macproof.script/1\nsteps:\n" + "\n".join(quits[:1]))
    assert "script: 1 of 1 steps done" in macproof("run", MENUS, "--script", script).out


def named(code: str, name: str) -> bytes:
    """Code and the name behind it that MacsBug reads."""
    data = bytes.fromhex(code) + bytes([0x80 + len(name)]) + name.encode()
    return data + bytes(len(data) % 2 + 2)


@pytest.mark.parametrize("end", ["4e75", "60000002"])
def test_a_wrong_guess_of_the_console_does_not_stop_a_program(macproof, program, end) -> None:
    """A routine without a name lies before _consolewrite; it ends with RTS, or with BRA."""
    first = named("4e71 4e75", "first")
    rest = bytes.fromhex(end) + named("4e71 4e75", "_consolewrite")
    # Push 0x7fffffff, nil and 1, call the routine without a name, and end.
    calls = bytes.fromhex("2f3c7fffffff 42a7 4878 0001 6100")
    back = (-(len(calls) + len(rest)) & 0xFFFF).to_bytes(2, "big")
    code = first + rest + calls + back + bytes.fromhex("a9f4")
    jump = bytes.fromhex("6000") + (2 + len(first) + len(rest)).to_bytes(2, "big")
    done = macproof("run", program((jump + code).hex()))
    assert done.code == 0, done.out


@pytest.mark.parametrize("load", ["f217 5400", "f23c 5400 3ff0000000000000"])
def test_a_number_is_loaded_after_the_status_of_the_fpu_was_read(macproof, program, load) -> None:
    """From then on instructions of the FPU are executed one by one, behind the end of the run."""
    assert macproof("run", program(f"42a7 42a7 f200 a800 {load} a9f4")).code == 0


def test_an_unknown_routine_ends_with_4_and_says_what_to_do(macproof, program) -> None:
    done = macproof("run", program("ab7f a9f4"))
    assert done.code == 4
    assert "the program called trap 0xAB7F, which macproof does not have" in done.out
    assert "@routine" in done.out


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("4ef9 01500000", "jump to unmapped memory at 0x01500000"),
        ("2039 03700000", "read of unmapped memory at 0x03700000"),
        ("2039 50f00000", "read of unmapped memory at 0x50f00000, where some Macintoshes have dev"),
        (
            "23c0 0204b000",
            "write to unmapped memory at 0x0204b000, behind the 307,200 bytes of",
        ),
        ("4afc", "processor exception: illegal instruction"),
        ("80fc 0000", "processor exception: division by zero"),
        ("4e40", "processor exception: TRAP #0"),
        ("4848", "the engine stopped: it cannot execute BKPT #0"),
        ("a975 4848", "the engine stopped: it cannot execute BKPT #0"),  # behind TickCount
        ("f2a0 0002", "it cannot execute a conditional of the FPU with predicate 32"),
        ("2f3c 7f000000 3f3c 0001 3f3c 0001 a8a8", "OffsetRect (0x7f000000, 1, 1): there is no"),
        ("9bcd a850", "with A5 0x00000000"),
        ("2f00 60fc", "the stack has run into the heap (system error 28)"),
        ("4ef9 02803000", "no patch is being executed"),
    ],
)
def test_a_fault_ends_with_4_and_names_the_place(macproof, program, code, problem) -> None:
    done = macproof("run", program(code))
    assert done.code == 4
    assert problem in done.out
    assert "at 0x" in done.out


_WRONG = "4879 00000800 42a7 a918 a9f4"
"""SetWRefCon of what is no window; what is written there, nothing else needs."""


@pytest.mark.parametrize(
    ("options", "code", "text"),
    [
        ((), 1, "SetWRefCon"),
        (("--stop-at-findings",), 4, "--stop-at-findings ends the run here"),
        (("--stop-at-findings", "--allow", "not a window", "--allow", "low memory"), 0, ""),
    ],
)
def test_a_mistake_stops_a_program_where_the_user_wants_that(
    macproof, program, options, code, text
) -> None:
    done = macproof("run", program(_WRONG), *options)
    assert (done.code, text in done.out) == (code, True)


_DEEP = "223c 000186a0 2f01 5381 66fa a9f4"
"""Pushes 400,000 bytes, and ends."""


@pytest.mark.parametrize(
    ("before", "options", "fits"),
    [
        ("", (), True),
        ("", ("--memory", "300K"), True),
        ("a063", (), False),
        ("a063", ("--stack", "64K"), False),
        ("a063", ("--stack", "392K"), True),
    ],
)
def test_the_stack_has_what_the_heap_leaves(macproof, program, before, options, fits) -> None:
    """_MaxApplZone lets the heap have all but what the user gives to the stack."""
    done = macproof("run", program(f"{before}{_DEEP}"), *options)
    problem = "the stack has run into the heap (system error 28); --stack makes room"
    assert (done.code, problem in done.out) == ((0, False) if fits else (4, True))


@pytest.mark.parametrize(
    "options", [("--stack", "1K"), ("--stack", "9M"), ("--memory", "17M"), ("--memory", "much")]
)
def test_sizes_of_memory_that_cannot_be_are_refused(macproof, program, options) -> None:
    done = macproof("run", program(_DEEP), *options)
    assert done.code == 2
    assert f"{options[0]} {options[1]}: it is a number of bytes" in done.err


def test_an_instruction_of_another_processor_is_named(macproof, program) -> None:
    done = macproof("run", program("7009 7203 4c410800 a9f4"), "--cpu", "68000")  # DIVS.L D1,D0
    assert done.code == 4
    assert "processor exception: illegal instruction" in done.out
    assert (
        "divs.l is no instruction of a 68000: the 68020 and later have it; run it with --cpu 68040"
    ) in " ".join(done.out.split())


@pytest.mark.slow
def test_a_program_that_never_ends_is_stopped_in_time(macproof, program) -> None:
    began = time.monotonic()
    done = macproof("run", program("60fe"), "--timeout", "0.5")
    assert done.code == 4
    assert "it did not end within 0.5 seconds" in done.out
    assert time.monotonic() - began < 60


def test_guest_code_that_kills_the_engine_is_survived(macproof, program) -> None:
    # MOVE.L #$80000000,D0; MOVEQ #-1,D1; EXT.L D1; DIVS.L D1,D0
    done = macproof("run", program("203c80000000 72ff 4c410800"))
    assert done.code == 4
    assert "brought the engine's process down (SIGFPE)" in done.err


def test_a_mistake_that_a_check_finds_ends_with_1_unless_allowed(macproof, program) -> None:
    # MOVE.L #1,$A1C(absolute short); ExitToShell
    path = program("21fc00000001 0a1c a9f4")
    done = macproof("run", path)
    assert done.code == 1
    assert "low memory: the program set the system's global MenuList (0x0a1c) to 0x1" in done.out
    assert macproof("run", path, "--allow", "low memory").code == 0


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--allow", "low memry"], "there is no check 'low memry'; did you mean low memory?"),
        (["--expect", ""], "--expect is empty"),
        (["--log", "one", "--json", "one"], "would be the same file"),
        (["--screen", "4096x4096", "--depth", "8"], "choose a smaller one"),
    ],
)
def test_words_that_would_mislead_are_refused(macproof, program, words, problem) -> None:
    done = macproof("run", program(EXIT_TO_SHELL), *words)
    assert done.code == 2
    assert problem in done.err


def test_the_program_is_not_written_over(macproof, program) -> None:
    path = program(EXIT_TO_SHELL)
    before = path.read_bytes()
    for option in ("--log", "--json"):
        done = macproof("run", path, option, path)
        assert done.code == 2
        assert "would be written over the program" in " ".join(done.err.split())
    assert path.read_bytes() == before


@pytest.mark.slow
def test_two_terminations_end_a_run_without_a_traceback(program) -> None:
    """The command timeout sends a signal to its child, and to the process group of both."""
    with Family("-m", "emu.cli", "run", program("60fe"), "--timeout", "600") as family:
        wait_until(family.descendants, "it has started a process that runs the program")
        for _ in range(50):
            family.process.send_signal(signal.SIGTERM)
        _, err = family.process.communicate(timeout=120)
    assert family.process.returncode == 130
    assert "interrupted" in err
    assert "Traceback" not in err


@pytest.mark.slow
def test_ctrl_c_ends_a_run_without_a_traceback(program, interruptible) -> None:
    with Family("-m", "emu.cli", "run", program("60fe"), "--timeout", "600") as family:
        wait_until(family.descendants, "it has started a process that runs the program")
        family.process.send_signal(signal.SIGINT)
        _, err = family.process.communicate(timeout=120)
    assert family.process.returncode == 130
    assert "interrupted" in err
    assert "Traceback" not in err


def test_pictures_log_and_json_are_written(macproof, tmp_path) -> None:
    done = macproof(
        "run", DRAWING["68000"], "--cpu", "68000", "--png", tmp_path / "png",
        "--log", tmp_path / "calls.log", "--json", tmp_path / "run.json",
        "--html", tmp_path / "run.html", "--markdown", tmp_path / "run.md",
    )  # fmt: skip
    assert done.code == 0
    names = sorted(path.name for path in (tmp_path / "png").iterdir())
    assert names == ["1-drawing.png", "2-screen.png"]
    with Image.open(tmp_path / "png" / "2-screen.png") as image:
        assert image.size == (640, 480)
    log = (tmp_path / "calls.log").read_text()
    assert "  InitWindows ()\n" in log
    assert ". LoadSeg ()\n" in log
    report = schemas.read(tmp_path / "run.json", "macproof.run/2")
    assert report["comparison"] is None
    assert report["cpu"] == "68000"
    assert report["completed"] is True
    assert report["calls"]["InitWindows"] == 1
    assert report["pictures"] == ["1-drawing", "2-screen"]
    film, _, rest = (tmp_path / "run.html").read_text().partition("<h2>Pictures</h2>")
    assert [part.count('src="data:image/png;base64,iVBOR') for part in (film, rest)] == [2, 2]
    assert "A picture, which --html shows: 2-screen." in (tmp_path / "run.md").read_text()


# GetResource ('snd ', 128); SndPlay (nil, it, false), twice; ExitToShell
PLAY = (
    "42a7 2f3c736e6420 3f3c0080 a9a0 245f 4267 42a7 2f0a 4267 a805 548f "
    "4267 42a7 2f0a 4267 a805 548f a9f4"
)


def test_sounds_are_told_and_written(macproof, tmp_path) -> None:
    header = struct.pack(">IIIIIBB", 0, 11025, 11025 << 16, 0, 0, 0, 60)
    data = struct.pack(">HHHHhI", 2, 0, 1, 0x8051, 0, 14) + header + bytes(11025)
    path = write_application(tmp_path, PLAY, more=[Resource("snd ", 128, "", 0, data)])
    folder = tmp_path / "sounds"
    done = macproof("run", path, "--sounds", folder, "--json", tmp_path / "r.json")
    assert done.code == 0
    assert "sounds it played: sound-1 (1.00 s, 2 times)" in done.out
    with wave.open(str(folder / "sound-1.wav")) as file:
        assert (file.getnframes(), file.getframerate()) == (11025, 11025)
    report = json.loads((tmp_path / "r.json").read_text())
    assert report["sounds"] == [{"name": "sound-1", "seconds": 1.0, "times": 2}]


@pytest.mark.slow
def test_two_processors_are_compared(macproof, tmp_path) -> None:
    done = macproof("run", DRAWING["68000"], "--against", DRAWING["601"])
    assert done.code == 0
    assert f"the same as {DRAWING['601']}:" in done.out
    files = ("--json", tmp_path / "run.json", "--junit", tmp_path / "run.xml")
    done = macproof("run", DRAWING["68000"], "--against", STDIO, *files)
    assert done.code == 1
    assert "calls differ at call" in done.out
    report = json.loads((tmp_path / "run.json").read_text())
    assert {d["what"] for d in report["comparison"]["differences"]} >= {"texts", "calls"}
    (failure,) = ElementTree.parse(tmp_path / "run.xml").getroot().iter("failure")
    assert (failure.get("message") or "").startswith("it does not do the same as")
    assert "calls differ at call" in (failure.text or "")


@pytest.mark.slow
def test_a_script_acts_and_must_be_done_to_its_end(macproof, tmp_path) -> None:
    script = PROGRAMS / "menus.script.yaml"
    done = macproof("run", MENUS, "--script", script, "--png", tmp_path)
    assert done.code == 0
    assert "script: 11 of 11 steps done" in done.out
    longer = tmp_path / "longer.yaml"
    longer.write_text(script.read_text() + "  - key: x\n")
    done = macproof("run", MENUS, "--script", longer)
    assert done.code == 1
    assert "the program ended before step 12 of the script was done" in done.out


@pytest.mark.slow
def test_the_clock_is_chosen(macproof) -> None:
    for clock in ("calls", "model", "real"):
        assert macproof("run", STDIO, "--clock", clock).code == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "cpu", ["68040", *(pytest.param(cpu, marks=pytest.mark.slow) for cpu in ("68000", "601"))]
)
def test_the_clock_of_the_model_is_chosen(macproof, tmp_path, cpu: str) -> None:
    program = PROGRAMS / "prebuilt" / ("601" if cpu == "601" else "68000") / "fixed_point.bin"
    report = tmp_path / "run.json"

    def time(*options: str) -> int:
        options = ("--cpu", cpu, "--clock", "model", "--json", str(report), *options)
        assert macproof("run", program, *options).code == 0
        return json.loads(report.read_text())["virtual_microseconds"]

    usual = {"68000": "7.8336", "68040": "25", "601": "80"}[cpu]
    assert time() == time("--mhz", usual) > time("--mhz", "500") > 0


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("--mhz", "25"), "--mhz needs --clock model"),
        (("--clock", "model", "--mhz", "0"), "--mhz is from 0.1 to 10000"),
        (("--clock", "model", "--mhz", "nan"), "--mhz is from 0.1 to 10000"),
    ],
)
def test_a_clock_that_cannot_be_is_refused(macproof, options, problem) -> None:
    done = macproof("run", STDIO, *options)
    assert done.code == 2
    assert problem in done.err


def test_the_program_lives_in_a_folder_and_nowhere_else(macproof, tmp_path) -> None:
    files = PROGRAMS / "prebuilt" / "68000" / "log_file.bin"
    folder = tmp_path / "disk"
    folder.mkdir()
    assert macproof("run", files, "--folder", folder).code == 0
    assert (folder / "log").read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["disk"]


@pytest.mark.parametrize("name", ["x" * 40, "a:b:c"])
def test_an_output_file_that_cannot_be_there_ends_with_2(macproof, program, name: str) -> None:
    done = macproof("run", program(EXIT_TO_SHELL), "--output-file", name)
    assert done.code == 2
    assert "cannot be put on the program's disk" in done.err


def test_nothing_it_prints_is_obeyed_by_the_terminal(macproof, program) -> None:
    # DebugStr of a Pascal string with an escape sequence; then an unknown trap named after it
    done = macproof("run", program("487a0006 abff a9f4 051b5b33316d4e71"))
    assert "\x1b" not in done.out


def test_what_it_wrote_is_copied_out(macproof, tmp_path) -> None:
    files = PROGRAMS / "prebuilt" / "68000" / "log_file.bin"
    assert macproof("run", files, "--files", tmp_path / "out").code == 0
    assert (tmp_path / "out" / "log").read_bytes() == b"OK\rand more\r"


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("Results", "Results"),
        ("Folder:A/B", "Folder/A:B"),
        ("..:..:etc:passwd", "_../_../etc/passwd"),
        ("/etc/passwd", ":etc:passwd"),
        ("::x", "_/_/x"),
    ],
)
def test_no_name_leads_out_of_the_folder(name: str, path: str) -> None:
    assert on_the_host(name) == Path(path)


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["/nowhere/at/all.bin"], "cannot be read"),
        ([__file__], "it is not a Mac file"),
        ([DRAWING["601"], "--cpu", "68040"], "it has no code for a Motorola 68040"),
        ([DRAWING["601"], "--machine", "plus"], "it has no code for a Motorola 68000"),
        ([DRAWING["601"], "--machine", "plus", "--cpu", "601"], "does not run as a 601"),
        ([DRAWING["601"], "--screen", "10x10"], "WIDTHxHEIGHT"),
        ([DRAWING["601"], "--timeout", "0"], "--timeout"),
        ([DRAWING["601"], "--step", "0"], "--step"),
        ([DRAWING["601"], "--folder", "/nowhere"], "there is no such folder"),
        ([DRAWING["601"], "--script", "/nowhere.yaml"], "cannot be read"),
        ([DRAWING["601"], "--script", __file__], "it is not YAML"),
    ],
)
def test_wrong_words_end_with_2(macproof, words, problem) -> None:
    done = macproof("run", *words)
    assert done.code == 2
    assert problem in done.err


def test_files_of_a_program_do_not_go_through_links(macproof, tmp_path: Path) -> None:
    """The folder may be a link, which the user has named; what is in it may not."""
    program = PROGRAMS / "prebuilt" / "68000" / "log_file.bin"
    assert macproof("run", program, "--files", tmp_path / "out").code == 0
    names = [path.name for path in (tmp_path / "out").iterdir()]
    assert names
    prepared, named = tmp_path / "prepared", tmp_path / "named"
    prepared.mkdir()
    named.symlink_to(prepared)
    for name in names:
        (prepared / name).symlink_to(tmp_path / "precious")
    done = macproof("run", program, "--files", named)
    assert (done.code, "it is a link" in done.err) == (2, True)
    assert not (tmp_path / "precious").exists()
    for name in names:
        (prepared / name).unlink()
    assert macproof("run", program, "--files", named).code == 0


def test_a_run_that_waits_for_the_computer_is_ended(
    program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It uses no processor time, so that this alone would never be over."""
    from emu.runner import runner
    from emu.toolbox.computer.settings import Settings

    def wait_for_ever() -> int:
        while True:
            time.sleep(0.1)

    def load(*arguments, load=runner.load, **named):
        mac = load(*arguments, **named)
        mac.instead["Button"] = wait_for_ever
        return mac

    monkeypatch.setattr(runner, "load", load)
    monkeypatch.setattr("emu.toolbox.computer.run_time.WAITING", 0.01)
    request = runner.RunRequest(program("4267 a974 4e75"), settings=Settings(timeout=60))
    result = runner.run_request(request)
    assert result.problem.startswith("it has waited for 0.6 seconds for something of this computer")
    assert "in a call of Button" in result.problem
    assert result.exit_code == 4


def test_a_routine_of_the_toolbox_that_takes_too_long_is_interrupted(
    program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is Python, which the engine does not stop: guest code may have chosen how much it does."""
    from emu.runner import runner
    from emu.toolbox.computer.settings import Settings

    def for_ever() -> int:
        while True:
            pass

    def load(*arguments, load=runner.load, **named):
        mac = load(*arguments, **named)
        mac.instead["Button"] = for_ever
        return mac

    monkeypatch.setattr(runner, "load", load)
    request = runner.RunRequest(program("4267 a974 4e75"), settings=Settings(timeout=0.3))
    result = runner.run_request(request)
    assert result.problem.startswith("it did not end within 0.3 seconds")
    assert "in a call of Button" in result.problem
    assert result.exit_code == 4


def test_a_program_that_ends_in_time_is_not_interrupted(
    program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To send an error and to take it back makes all Python of the process slow for ever."""
    from emu.runner.runner import RunRequest, run_request

    interrupted: list[int] = []
    monkeypatch.setattr("emu.toolbox.computer.heartbeat._interrupt", interrupted.append)
    assert run_request(RunRequest(program("4e75"))).exit_code == 0
    assert interrupted == []
