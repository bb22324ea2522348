"""Places of a port's functions and globals, proposed without the names of the old program."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from emu.base.errors import CaseError
from emu.port.match.answer import CERTAIN, MARKED, NAMED, NONE, UNCERTAIN, MatchReport, Proposal
from emu.port.match.document import match_document
from emu.port.match.match import MatchSources, match, without_names
from emu.port.match.written_marks import write_marks
from emu.port.model import FUNCTION, GLOBAL
from emu.port.project.marked_text import MarkedText
from emu.port.project.marks import read_marks
from emu.program.declarations.places import find_data, has_data
from emu.program.functions.find_functions import find_functions
from emu.program.instructions.listing import place_of
from emu.program.read import read_program
from emu.report.forms.terminal import print_document
from emu.toolchain.mac_app.application import build_application
from emu.toolchain.mac_c.named_headers import Prefix
from tests.gallery.old_game import make_old_game

ROOT = Path(__file__).parents[3]
GAME = ROOT / "examples" / "old-game"
PREFIX: tuple[Prefix, ...] = ("MacHeaders",)
_MARK = re.compile(r"^[ \t]*// (?:FUNCTION|STUB|GLOBAL): .*\n", re.MULTILINE)


def port_without_marks(folder: Path, names: str = "*.c") -> MatchSources:
    """The sources of the port of the old game, as if nobody had marked them."""
    for path in sorted((GAME / "port").glob("*.[ch]")):
        (folder / path.name).write_text(_MARK.sub("", path.read_text()))
    files = tuple(sorted(folder.glob(names)))
    return MatchSources(
        files, folder, tuple(folder.glob("*.h")), prefix=PREFIX, flags=("-std=gnu99",)
    )


def true_places() -> dict[tuple[str, str], str]:
    """The places that the marks of the port have, by kind and name."""
    texts = {path: MarkedText(path) for path in (GAME / "port").glob("*.[ch]")}
    return {
        (mark.kind.replace("STUB", FUNCTION), texts[mark.file].declared_name(mark)): mark.place
        for mark in read_marks(sorted(texts))
    }


@pytest.fixture(scope="module")
def sources(
    tmp_path_factory: pytest.TempPathFactory, compilers: Callable[..., None]
) -> MatchSources:
    compilers("68000")
    return port_without_marks(tmp_path_factory.mktemp("port"))


@pytest.fixture(scope="module")
def report(sources: MatchSources) -> MatchReport:
    return match(without_names(read_program(GAME / "Turncoat.bin")), sources)


def certain(report: MatchReport, kind: str) -> list[Proposal]:
    return [one for one in report.proposals if one.kind == kind and one.certainty == CERTAIN]


@pytest.mark.parametrize(("kind", "least"), [(FUNCTION, 36), (GLOBAL, 13)])
def test_a_rewritten_source_finds_its_places(report: MatchReport, kind: str, least: int) -> None:
    """The port has other names, other files and another order than the old source."""
    truth = true_places()
    proposed = certain(report, kind)
    assert len(proposed) >= least
    wrong = [one for one in proposed if truth.get((kind, one.name)) != one.place]
    assert not wrong


def test_the_document_says_what_is_not_certain(report: MatchReport) -> None:
    output = io.StringIO()
    print_document(match_document(report), Console(file=output, width=160))
    text = output.getvalue()
    doubtful = [one for one in report.proposals if one.certainty not in (CERTAIN, NONE)]
    assert "Functions of the sources:" in text
    assert "--write writes the certain ones" in text
    for one in doubtful:
        assert one.reason
    for one in report.proposals:
        assert one.name in text


def test_names_are_used_where_the_program_has_them(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    """Those that the port has kept; a name that only one side has says nothing."""
    compilers("68000")
    sources = port_without_marks(tmp_path, "rules.c")
    named = match(read_program(GAME / "Turncoat.bin"), sources)
    truth = true_places()
    by_name = [one for one in named.proposals if one.certainty == NAMED]
    assert len(by_name) >= 5
    assert all(truth[FUNCTION, one.name] == one.place for one in by_name)


def test_a_source_of_another_program_has_no_certain_place(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    compilers("68000")
    path = tmp_path / "other.c"
    path.write_text(
        "long gTotal; short gTable[40];\n"
        "short Sum(short n) { short i; for (i = 0; i < n; i++) gTotal += gTable[i] * 77;"
        " return (short) (gTotal >> 3); }\n"
        "void Fill(short seed) { short i; for (i = 0; i < 40; i++)"
        " gTable[i] = Sum(seed) ^ 0x1234; }\n"
    )
    found = match(
        without_names(read_program(GAME / "Turncoat.bin")), MatchSources((path,), tmp_path)
    )
    assert len(found.proposals) == 4
    assert not any(one.certainty == CERTAIN for one in found.proposals)


def test_a_function_is_not_certain_where_the_program_has_another_name(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    """It is nowhere in the program, and the function that is there has no source yet."""
    compilers("68000")
    sources = port_without_marks(tmp_path, "rules.c")
    text = (tmp_path / "rules.c").read_text()
    (tmp_path / "rules.c").write_text(re.sub(r"\bEnclosed\b", "Surrounded", text))
    named = match(read_program(GAME / "Turncoat.bin"), sources)
    (other,) = [one for one in named.proposals if one.name == "Surrounded"]
    assert (other.certainty, other.reason) == (UNCERTAIN, "the original names it Enclosed")


def test_neither_of_two_functions_that_are_alike_has_a_certain_place(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    """A linker leaves out functions that nothing calls, and the place may be that of the other."""
    compilers("68000")
    sources = port_without_marks(tmp_path, "rules.c")
    text = (tmp_path / "rules.c").read_text()
    body = re.search(r"^\w[\w ]*OnBoard\(.*?\n}\n", text, re.MULTILINE | re.DOTALL)
    assert body is not None
    twin = body[0].replace("OnBoard(", "Inside(")
    (tmp_path / "rules.c").write_text(text.replace(body[0], f"{body[0]}\n{twin}"))
    found = match(without_names(read_program(GAME / "Turncoat.bin")), sources)
    twins = [one for one in found.proposals if one.name in ("OnBoard", "Inside")]
    assert len(twins) == 2
    assert CERTAIN not in {one.certainty for one in twins}
    (placed,) = [one for one in twins if one.place]
    assert placed.reason.endswith("is as much like it, and has no place")


def test_what_is_written_is_read_again_and_a_wrong_mark_is_told(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    compilers("68000")
    sources = port_without_marks(tmp_path, "[rs]*.c")
    before = {path: path.read_text() for path in sources.files}
    program = without_names(read_program(GAME / "Turncoat.bin"))
    first = match(program, sources)
    written = write_marks(first.proposals, (CERTAIN,), sources.named())
    assert not written.left_out
    assert all(_MARK.sub("", path.read_text()) == text for path, text in before.items())
    again = match(program, sources)
    marked = {(p.kind, p.name): p.place for p in again.proposals if p.certainty == MARKED}
    assert marked == {(p.kind, p.name): p.place for p in first.proposals if p.certainty == CERTAIN}
    assert not again.contradictions

    by_name = {one.name: one.place for one in first.proposals if one.kind == FUNCTION}
    rules = tmp_path / "rules.c"
    main = true_places()[FUNCTION, "main"]
    rules.write_text(rules.read_text().replace(by_name["ListMoves"], main))
    told = match(program, sources).contradictions
    assert len(told) == 1
    assert f"ListMoves is at {main} by the mark" in told[0]
    assert by_name["ListMoves"] in told[0]


def test_all_marks_that_are_written_are_taken(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    """The layout of a file leads two more globals beyond the end of the old program's data."""
    compilers("68000")
    sources = port_without_marks(tmp_path, "[rs]*.c")
    state = tmp_path / "state.c"
    state.write_text(f"{state.read_text()}\nshort beyond[9000], behind;\n")
    program = without_names(read_program(GAME / "Turncoat.bin"))
    found = match(program, sources)
    write_marks(found.proposals, (CERTAIN, UNCERTAIN), sources.named())
    marks = [mark for mark in read_marks(sources.marked) if mark.kind == GLOBAL]
    assert len(marks) >= 13
    assert all(has_data(program, find_data(program, mark.place), 1) for mark in marks)
    far = {one.name: one.reason for one in found.proposals if one.name.startswith("be")}
    assert far == dict.fromkeys(("beyond", "behind"), "its file's layout leads beyond the data")


def test_sources_that_do_not_compile_are_told(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    compilers("68000")
    good, bad = tmp_path / "good.c", tmp_path / "bad.c"
    good.write_text("short One(void) { return 1; }\n")
    bad.write_text("short Two(void) { return nothing; }\n")
    found = match(read_program(GAME / "Turncoat.bin"), MatchSources((good, bad), tmp_path))
    assert [one.name for one in found.proposals] == ["One"]
    assert len(found.not_compiled) == 1
    assert "bad.c:1" in found.not_compiled[0]
    assert "nothing" in found.not_compiled[0]


def test_a_mark_that_is_no_place_is_an_error(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    compilers("68000")
    path = tmp_path / "one.c"
    path.write_text("// FUNCTION: somewhere\nshort One(void) { return 1; }\n")
    with pytest.raises(CaseError, match="no place"):
        match(read_program(GAME / "Turncoat.bin"), MatchSources((path,), tmp_path))


@pytest.mark.slow
def test_the_globals_of_a_program_for_the_powerpc(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    """The old game as an application for the PowerPC, and its port, which is written anew."""
    compilers("601")
    (tmp_path / "port").mkdir()
    source = tmp_path / "Turncoat.c"
    source.write_bytes((GAME / "Turncoat.c").read_bytes())
    build_application([source], "Turncoat", "601", None, tmp_path, prefix=PREFIX)
    program = read_program(tmp_path / "Turncoat.bin")
    names = {(place_of(program, s.address), s.name) for s in program.symbols}
    old_names = {place: name for name, place in make_old_game().places.items()}
    truth = {key: old_names[place] for key, place in true_places().items()}
    found = match(without_names(program), port_without_marks(tmp_path / "port"))
    for kind, least in ((FUNCTION, 36), (GLOBAL, 10)):
        proposed = certain(found, kind)
        assert len(proposed) >= least
        assert not [p for p in proposed if (p.place, truth[kind, p.name]) not in names]


@pytest.mark.parametrize("app", ["globals", "stdio"])
def test_a_program_for_the_powerpc(app: str, compilers: Callable[..., None]) -> None:
    compilers("601")
    program = read_program(ROOT / "tests" / "programs" / "mac" / "prebuilt" / "601" / f"{app}.bin")
    path = ROOT / "tests" / "programs" / "mac" / f"{app}.cpp"
    found = match(without_names(program), MatchSources((path,), path.parent))
    places = {one.place: one.name for one in find_functions(program).functions}
    proposed = certain(found, FUNCTION)
    assert proposed
    assert all(places[one.place].lstrip(".") == one.name for one in proposed)
    assert all(one.place.startswith("section 0+") for one in proposed)
