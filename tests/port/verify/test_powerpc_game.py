"""The old game as a Power Macintosh has it: matched, recorded, verified, and run with new code."""

from __future__ import annotations

import itertools
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from emu.cli import main
from emu.port.project.project import original_digest
from emu.program import read_program
from emu.program.instructions.listing import place_of
from tests.gallery.old_game import FOLDER
from tests.gallery.old_game_powerpc import OldPowerPcGame, make_old_powerpc_game
from tests.gallery.test_old_game import MISTAKES

GLOBALS = (
    *("gBoard", "gStep", "gWeight", "gName", "gFile", "gHistory", "gPlayed", "gRoom", "gSeed"),
    *("gSearched", "gDone", "gOver", "gText", "gWindow", "gMenu", "gHead", "gDraw"),
)
"""Those of the old game in the order in which the port has its own."""
MARK = re.compile(r"// (FUNCTION|GLOBAL): .*\n")
SOURCES = ("state.c", "rules.c", "machine.c", "history.c", "picture.c", "disk.c", "game.c")


@pytest.mark.slow
def test_mistakes_in_the_port_of_a_powerpc_game_are_found(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    compilers("601")
    game = make_old_powerpc_game()
    port = write_port(tmp_path / "port", game)
    right = with_marks(game)
    for name, text in right.items():
        (port / name).write_text(MARK.sub("", text))
    assert main(["port", "match", str(port), "--quiet", "--write"]) == 0
    found = {name: marks((port / name).read_text()) for name in SOURCES}
    assert all(found[name] <= marks(right[name]) for name in SOURCES)
    assert sum(map(len, found.values())) >= 50  # of 56, and the old game has no names
    for name, text in right.items():
        (port / name).write_text(text)

    assert main(["port", "record", str(port), "--quiet"]) == 0
    longer = ["--script", str(port / "game.yaml"), "--calls", "4"]
    assert main(["port", "record", str(port), "--quiet", *longer]) == 0
    assert main(["port", "verify", str(port), "--quiet"]) == 1
    verdicts = verdicts_of(port)
    assert verdicts.pop("main") == "inconclusive"  # it never returns
    refuted = {name for name, verdict in verdicts.items() if verdict != "verified"}
    assert refuted == {"DrawScore", "Worth", "TakeBack"}
    assert len(verdicts) == 38

    for name, (wrong, mended) in MISTAKES.items():
        (port / name).write_text(right[name].replace(wrong, mended))
    assert main(["port", "verify", str(port), "--quiet", "--changed"]) == 4
    assert [name for name, verdict in verdicts_of(port).items() if verdict != "verified"] == [
        "main"
    ]
    assert main(["port", "run", str(port), "--quiet"]) == 0


def write_port(port: Path, game: OldPowerPcGame) -> Path:
    """The port of the game, without its sources."""
    port.mkdir()
    original = port / "Turncoat.bin"
    original.write_bytes(game.application)
    for name in ("turncoat.h", "play.yaml", "game.yaml"):
        shutil.copy(FOLDER / "port" / name, port)
    (port / "port.yaml").write_text(
        "schema: macproof.port/1\noriginal: Turncoat.bin\ncpu: '601'\nconvention: ppc-poweropen\n"
        f"sha256: {original_digest(original)}\nsources: [{', '.join(SOURCES)}]\n"
        "cflags: [-std=gnu99]\nscripts: [play.yaml]\n"
    )
    return port


def with_marks(game: OldPowerPcGame) -> dict[str, str]:
    """The sources of the port with marks for the PowerPC game."""
    old = read_program(FOLDER / "Turncoat.bin")
    names = {place_of(old, symbol.address): symbol.name for symbol in old.symbols}
    variables = iter(GLOBALS)

    def marked(mark: re.Match[str]) -> str:
        place = mark[0].partition(": ")[2].strip()
        name = names[place] if mark[1] == "FUNCTION" else next(variables)
        return f"// {mark[1]}: {game.places[name]}\n"

    texts = {name: (FOLDER / "port" / name).read_text() for name in SOURCES}
    return {name: MARK.sub(marked, text) for name, text in texts.items()}


def marks(text: str) -> set[tuple[str, str]]:
    """Each mark, and the line that it is above."""
    return {pair for pair in itertools.pairwise(text.splitlines()) if MARK.match(f"{pair[0]}\n")}


def verdicts_of(port: Path) -> dict[str, str]:
    functions = json.loads((port / "verdicts.json").read_text())["functions"]
    return {one["name"]: one["verdict"] for one in functions}
