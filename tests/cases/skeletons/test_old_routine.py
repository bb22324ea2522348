"""``macproof new --from``: an old application's routine becomes the reference of a new case."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from emu.base.errors import ProgramError
from emu.cases.skeletons.old_routine import OldRoutine
from emu.program.mac_file.resource_fork import Resource
from tests.program.code_samples import write_application

POWERPC = Path(__file__).parents[2] / "programs/mac/prebuilt/601/globals.bin"
THINK_C = [Resource(kind, 0, "", 0, bytes(2)) for kind in ("DATA", "ZERO", "DREL")]
CALL = "3f3c0003 610{skip} 544f 4e75"  # push 3, call, remove 2 bytes, return
ADD = "4e560000 302e{parameter} d16dfff0 302dfff0 d06dfff2 4e5e4e75"
"""Add the parameter to A5-0x10; return that and A5-0xe."""
UNFRAMED = "48e73000 302f{parameter} d16dfff0 302dfff0 d06dfff2 4cdf000c 4e75"
"""The same, with D2 and D3 saved in place of LINK."""
READ = "4e560000 302e0008 d06dfff0 d06dfff2 4e5e4e75"
"""Add A5-0x10 and A5-0xe to the parameter."""
PLACE = "CODE 1+0xe"
SOURCE = """
short gTotal, gBase;

short Add(short n)
{
    gTotal += n;
    return gTotal + gBase;
}
"""

Command = Callable[..., Any]


def old_application(
    folder: Path, parameter: str = "0008", more: list[Resource] | None = None
) -> Path:
    code = CALL.format(skip=4) + ADD.format(parameter=parameter)
    return write_application(folder, code, "Old", THINK_C if more is None else more)


@pytest.fixture
def new(
    macproof: Command, compilers: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., dict[str, Any]]:
    """Writes a case of `SOURCE`, or of another source, and gives its contents."""
    compilers("68040")
    monkeypatch.chdir(tmp_path)

    def write(old: Path, source: str = SOURCE, *words: str) -> dict[str, Any]:
        Path("add.c").write_text(source)
        outcome = macproof(
            *("new", "add", "--source", "add.c", "--function", "Add", "--cpu", "68040"),
            *("--from", old.name, "--symbol", PLACE, *words),
        )
        assert outcome.code == 0, outcome.err
        case: dict[str, Any] = yaml.safe_load(Path("add/case.yaml").read_text())
        return case

    return write


def test_the_case_says_all_that_the_old_program_does_not(
    new: Command, macproof: Command, tmp_path: Path
) -> None:
    case = new(old_application(tmp_path))
    assert case["reference"] == {
        "program": "../Old.bin",
        "symbol": PLACE,
        "cpu": 68040,
        "prototype": "short Add(short n)",
        "convention": "think-c-16",
        "globals": {
            "gTotal": {"at": "A5-0x10", "type": "short"},
            "gBase": {"at": "A5-0xe", "type": "short"},
        },
    }
    assert case["observe"] == ["return", "gTotal", "gBase"]
    text = Path("add/case.yaml").read_text()
    assert "DATA, ZERO and DREL; it reads its parameters at 8(A6); its callers remove 2" in text
    assert "CHANGE" not in text.partition("\nreference:")[2]
    outcome = macproof("verify", "add", "--build", "O2", "--scenes", "40")
    assert outcome.code == 0
    assert "CHANGE" not in outcome.out


def test_a_port_that_does_something_else_is_refuted(
    new: Command, macproof: Command, tmp_path: Path
) -> None:
    new(old_application(tmp_path), SOURCE.replace("+= n", "-= n"))
    outcome = macproof("verify", "add", "--build", "O2", "--scenes", "40")
    assert outcome.code == 1
    words = " ".join(outcome.out.split())
    assert "the case still says CHANGE in line " in words
    assert ": on the left the routine's parameters" in words


def test_no_verdict_of_an_old_routine_leads_to_the_mark_of_its_convention(
    new: Command, macproof: Command, tmp_path: Path
) -> None:
    """With any other convention its pointer is not where it looks for it."""
    code = CALL.format(skip=4) + "4e560000 206e000a 30100c40 4e5e4e75"
    source = "short Add(short n, short *place) { return *place + n; }"
    new(write_application(tmp_path, code, "Old", []), source)
    path = Path("add/case.yaml")
    text = re.sub("convention: .*", "convention: mpw-c # CHANGE: or think-c-16", path.read_text())
    path.write_text(text)
    outcome = macproof("verify", "add", "--build", "O2", "--scenes", "40")
    assert outcome.code == 4
    line = text[: text.index("convention: ")].count("\n") + 1
    assert f"the case still says CHANGE in line {line}: or think-c-16; and" in outcome.err


def test_where_the_routine_reads_its_parameter_tells_the_convention(
    new: Command, tmp_path: Path
) -> None:
    case = new(old_application(tmp_path, "000a", []))
    assert case["reference"]["convention"] == "mpw-c"


@pytest.mark.parametrize(("parameter", "name"), [("000c", "think-c-16"), ("000e", "mpw-c")])
def test_so_it_does_without_a_frame_behind_saved_registers(
    new: Command, tmp_path: Path, parameter: str, name: str
) -> None:
    code = CALL.format(skip=4) + UNFRAMED.format(parameter=parameter)
    case = new(write_application(tmp_path, code, "Old", []))
    assert case["reference"]["convention"] == name


@pytest.mark.parametrize(("read", "name"), [("302e0008", "think-c-16"), ("202e0008", "think-c-32")])
def test_how_much_of_an_int_is_read_tells_its_size(
    new: Command, tmp_path: Path, read: str, name: str
) -> None:
    code = f"6108 4e75 4e71 4e714e71 4e560000 {read} 4e5e4e75"  # its caller removes nothing
    old = write_application(tmp_path, code, "Old", THINK_C)
    case = new(old, "int Add(int n) { return n; }")
    assert case["reference"]["convention"] == name


def test_an_int_of_16_bits_gets_scenes_that_fit(new: Command, tmp_path: Path) -> None:
    case = new(old_application(tmp_path), SOURCE.replace("short n", "int n"))
    assert case["reference"]["convention"] == "think-c-16"
    assert 'n=draw("int16", 1)' in Path("add/add_reference.py").read_text()


STATIC = """
short gBase;

short Add(short n)
{
    static short total;
    total += n;
    return total + gBase;
}
"""


@pytest.mark.parametrize(("change", "code"), [("+= n", 0), ("-= n", 1)])
def test_a_static_of_a_function_has_a_place(
    new: Command, macproof: Command, tmp_path: Path, change: str, code: int
) -> None:
    case = new(old_application(tmp_path), STATIC.replace("+= n", change))
    assert case["reference"]["globals"]["Add::total"] == {"at": "A5-0x10", "type": "short"}
    assert "Add::total" in case["observe"]
    assert macproof("verify", "add", "--build", "O2", "--scenes", "40").code == code


BOX = """
struct Item { short value; long weight; };
struct Box { struct Item *items; struct Box *next; short most; };
struct { struct Box *unused; short base; } gBase;

long Add(short n, struct Box *box)
{
    box->items->value += n;
    return box->items->weight + gBase.base;
}
"""
IN_A_BOX = "4e560000 206e000a 2050 302e0008 d150 302dfff4 48c0 d0a80002 4e5e4e75"


@pytest.mark.parametrize(("change", "code"), [("+= n", 0), ("-= n", 1)])
def test_a_struct_behind_a_pointer_in_a_struct(
    new: Command, macproof: Command, tmp_path: Path, change: str, code: int
) -> None:
    """The old program has the types by name only; a pointer that is not used is null."""
    old = write_application(tmp_path, CALL.format(skip=4) + IN_A_BOX, "Old", THINK_C)
    case = new(old, BOX.replace("+= n", change))
    assert case["reference"]["globals"]["gBase"]["at"] == "A5-0x10"
    box = case["arguments"]["box"]["points_to"]
    assert (box["next"], list(box["items"])) == (None, ["points_to"])
    assert case["input"]["gBase"] == {"base": "gBase_base"}  # pointers in globals begin as null
    assert macproof("verify", "add", "--build", "O2", "--scenes", "40").code == code


@pytest.mark.parametrize(("expression", "code"), [("n * n", 0), ("n * n + (n == 3)", 1)])
def test_a_routine_of_a_powerpc_program(
    compilers: Command, macproof: Command, tmp_path: Path, expression: str, code: int
) -> None:
    compilers("601")
    (tmp_path / "square.c").write_text(f"int Square(int n) {{ return {expression}; }}")
    folder = ("--folder", str(tmp_path), "--source", str(tmp_path / "square.c"))
    words = ("--function", "Square", "--from", str(POWERPC), "--symbol", "_Square")
    assert macproof("new", "square", *folder, *words, "--cpu", "601").code == 0
    case = yaml.safe_load((tmp_path / "square/case.yaml").read_text())
    assert (case["reference"]["cpu"], case["reference"]["convention"]) == (601, "ppc-poweropen")
    verified = macproof("verify", str(tmp_path / "square"), "--build", "O2", "--scenes", "60")
    assert verified.code == code


def test_globals_that_could_change_places_are_marked(new: Command, tmp_path: Path) -> None:
    """The old routine reads two globals in one way, and the source has only one."""
    old = write_application(tmp_path, CALL.format(skip=4) + READ, "Old", THINK_C)
    new(old, "short gOnly; short Add(short n) { return gOnly + n; }")
    (line,) = [one for one in Path("add/case.yaml").read_text().splitlines() if "gOnly: {at" in one]
    assert "CHANGE" in line
    assert "A5-0x10" in line
    assert "A5-0xe" in line


def test_a_global_that_leads_to_a_window_is_left_alone(new: Command, tmp_path: Path) -> None:
    source = "#include <Windows.h>\nWindowPtr gOwn; short gBase;\n"
    body = "short Add(short n) { if (gOwn) gBase += n; return gBase; }"
    code = CALL.format(skip=4) + "4e560000 4aadffec 302e0008 d16dfff0 302dfff0 4e5e4e75"
    case = new(write_application(tmp_path, code, "Old", THINK_C), source + body)
    assert "gBase" in case["input"]
    assert "gOwn" not in {**case["input"], **case["reference"]["globals"]}
    assert "CHANGE: gOwn leads to a record of the Toolbox" in Path("add/case.yaml").read_text()


def test_of_a_struct_each_member_is_compared(
    new: Command, macproof: Command, tmp_path: Path
) -> None:
    code = CALL.format(skip=4) + "4e560000 206e000a 302e0008 d150 2028000252a80002 4e5e4e75"
    declared = "struct Sum { short sum; long calls; char *name; };"
    body = "long Add(short n, struct Sum *s) { s->sum += n; return s->calls++; }"
    case = new(write_application(tmp_path, code, "Old", THINK_C), f"{declared} {body}")
    assert case["observe"] == ["return", "*s.sum", "*s.calls"]
    assert macproof("verify", "add", "--build", "O2", "--scenes", "40").code == 0


def test_memory_that_the_case_does_not_fill_needs_the_start(new: Command, tmp_path: Path) -> None:
    new(old_application(tmp_path), "short gTotal; short Add(short n) { return gTotal += n; }")
    text = Path("add/case.yaml").read_text()
    assert "CHANGE: start: the routine up to which it has to run; it uses A5-0xe" in text


@pytest.mark.parametrize(
    ("symbol", "problem"),
    [
        ("Ad", "it has no routine Ad"),
        ("CODE 1+0x10", "no routine begins at CODE 1+0x10"),
        ("CODE 7+0x10", "CODE 7"),
    ],
)
def test_a_routine_that_is_not_there_is_an_error(tmp_path: Path, symbol: str, problem: str) -> None:
    with pytest.raises(ProgramError, match=problem.replace("+", r"\+")):
        OldRoutine(old_application(tmp_path), symbol)


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--from", "Old.bin"], "--from needs --source"),
        (["--symbol", "Add", "--source", "add.c"], "--symbol needs --from"),
    ],
)
def test_options_that_need_others_say_so(macproof: Command, words: list[str], problem: str) -> None:
    outcome = macproof("new", "add", *words)
    assert outcome.code == 2
    assert problem in outcome.err
