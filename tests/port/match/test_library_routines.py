"""Code that an old program brings for routines of the Toolbox, found without a mark."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from emu.port.match.answer import CERTAIN, Proposal
from emu.port.match.match import MatchSources, match
from emu.port.match.written_marks import write_marks
from emu.port.model import LIBRARY
from emu.port.project.marks import read_marks
from emu.program.read import read_program
from tests.program.code_samples import write_application

SOURCE = """long Version(void)
{
    long answer;
    Gestalt('sysv', &answer);
    return answer;
}

void Label(short number)
{
    Str255 text;
    GetIndString(text, 128, number);
    DrawString(text);
}

void Twice(short number)
{
    Label(number);
    Label(number);
}
"""
GESTALT = "4e560000 203c0000a0ad a346 202e000c a1ad 226e0008 2288 3d400010 4e5e 205f 508f 4ed0"
TEXT = "4e560000 598f 2f3c53545223 3f2e000a a9a0 205f 4e5e 205f {removed} 4ed0"


def application(folder: Path, removed: str = "508f", twice: str = "") -> Path:
    """The functions of `SOURCE` with their names, and behind them the code for two routines."""
    pieces = {
        "Version": "4e56fffc 554f 2f3c73797376 486efffc 4eba<gestalt> 544f 202efffc 4e5e 4e75",
        "Label": "4e56ff00 486eff00 3f3c0080 3f2e0008 4eba<text> 486eff00 a884 4e5e 4e75",
        "Twice": f"4e560000 3f2e0008 4eba<Label> 544f 3f2e0008 4eba<Label> 544f {twice} 4e5e 4e75",
        "gestalt": GESTALT,
        "text": TEXT.format(removed=removed),
    }
    return linked_application(folder, pieces, "4eba<Twice> 4eba<Version> a9f4")


def linked_application(folder: Path, pieces: Mapping[str, str], start: str) -> Path:
    """Functions behind one another; those that begin with a capital letter have their names."""
    places, at = {}, _size(start)
    for name, code in pieces.items():
        places[name] = at
        at += _size(code) + len(_name(name))
    whole = _linked(start, 0, places)
    for name, code in pieces.items():
        whole += _linked(code, places[name], places) + _name(name)
    return write_application(folder, whole.hex())


def _size(code: str) -> int:
    return len(_linked(code, 0, None))


def _linked(code: str, at: int, places: dict[str, int] | None) -> bytes:
    """The code at an offset; ``<name>`` is the distance to a function."""
    out = b""
    for word in code.replace("<", " <").split():
        if word.startswith("<"):
            distance = places[word[1:-1]] - at - len(out) if places else 0
            out += distance.to_bytes(2, "big", signed=True)
        else:
            out += bytes.fromhex(word)
    return out


def _name(name: str) -> bytes:
    """The name behind a function of the program's own."""
    if name[0].islower():
        return b""
    text = bytes([0x80 + len(name)]) + name.encode()
    return text + bytes(len(text) % 2 + 2)


def found(folder: Path, program: Path, source: str = SOURCE) -> tuple[list[Proposal], MatchSources]:
    path = folder / "source.c"
    path.write_text(source)
    sources = MatchSources((path,), folder, prefix=("MacHeaders",), flags=("-std=gnu89",))
    proposals = match(read_program(program), sources).proposals
    return [one for one in proposals if one.kind == LIBRARY], sources


def test_what_callers_call_in_place_of_a_routine_is_its_code(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    compilers("68000")
    proposals, sources = found(tmp_path, application(tmp_path))
    assert [(one.name, one.line, one.certainty) for one in proposals] == [
        ("Gestalt", 1, CERTAIN),
        ("GetIndString", 8, CERTAIN),
    ]
    by_name = {one.name: one for one in proposals}
    assert "it calls the trap" in by_name["Gestalt"].reason
    written = write_marks(proposals, (CERTAIN,), sources.named())
    assert not written.left_out
    marks = [(one.kind, one.name, one.place) for one in read_marks(sources.files)]
    assert sorted(marks) == sorted((LIBRARY, one.name, one.place) for one in proposals)
    assert not found_again(sources, tmp_path)


@pytest.mark.parametrize("result", ["3ebcea84", "4257", "3e80"])
def test_code_that_writes_its_result_last_is_found(
    tmp_path: Path, compilers: Callable[..., None], result: str
) -> None:
    """As that of THINK C for SysEnvirons does on a computer without the trap."""
    compilers("68000")
    proposals, _ = found(tmp_path, application(tmp_path, f"508f {result}"))
    assert [one.name for one in proposals] == ["Gestalt", "GetIndString"]


FILE_SOURCE = """void Store(void)
{
    short file; long count = 4;
    FSOpen("\\pa", 0, &file);
    SetEOF(file, 0);
    FSWrite(file, &count, (Ptr) &count);
}

void Ask(void)
{
    if (NGetTrapAddress(0x60, ToolTrap) == 0) SysBeep(1);
}
"""
FILE_CODE = {
    "Store": "4e56fff8 4eba<open> 4eba<seteof> 4eba<write> 4e5e 4e75",
    "Ask": "4e560000 4eba<trap> 4e5e 4e75",
    "open": "4e56ffb0 a000 4e5e 205f 4fef000a 4ed0",
    "seteof": "4e56ffb0 a012 4e5e 205f 5c8f 4ed0",
    "skip": "51c1 6002",
    "write": "50c1",  # goes on behind
    "transfer": "4e56ffb0 4a01 6704 a003 6002 a002 4e5e 205f 4fef000a 4ed0",
    "trap": "225f 121f 301f 2f09 a746 2f480004 4e75",
}


def test_code_for_files_and_code_that_takes_its_arguments_first_is_found(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    """`SetEOF` has the name of a trap, FSOpen and FSWrite have arguments of the same size."""
    compilers("68000")
    program = linked_application(tmp_path, FILE_CODE, "4eba<Ask> 4eba<Store> a9f4")
    proposals, _ = found(tmp_path, program, FILE_SOURCE)
    assert {one.name for one in proposals} == {"FSOpen", "SetEOF", "FSWrite", "NGetTrapAddress"}


def found_again(sources: MatchSources, folder: Path) -> list[Proposal]:
    """What is proposed once the marks are there."""
    proposals = match(read_program(folder / "test.bin"), sources).proposals
    return [one for one in proposals if one.kind == LIBRARY]


@pytest.mark.parametrize(
    "changes",
    [
        {"removed": "504f 504f"},  # it removes other arguments than the routine has
        {"removed": "584f"},
        {"twice": "4eba<text>"},  # a function calls it that does not call the routine
    ],
)
def test_other_code_is_not_taken_for_a_routine(
    tmp_path: Path, compilers: Callable[..., None], changes: dict[str, str]
) -> None:
    compilers("68000")
    proposals, _ = found(tmp_path, application(tmp_path, **changes))
    assert [one.name for one in proposals] == ["Gestalt"]
