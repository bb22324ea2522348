"""A port as tests of pytest: a function is one."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

import emu.pytest_plugin.port_items
from emu.port.model import FunctionVerdict
from emu.port.project.project import read_project
from emu.port.status.states import begun_functions
from emu.port.status.verdicts import write_verdicts
from tests.port.project.small_port import ORIGINAL, SOURCE, write_port
from tests.port.verify.old_game_port import recorded_port

PLACE = "CODE 1+0xd2"
# A run in this process forgets the modules that it has imported; these must not be among them.
IMPORTED = (jsonschema, emu.pytest_plugin.port_items)
STUB = "/* STUB: CODE 1+0x126 */\nvoid begin(void) { }\n"


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The plugin is named here, and whether this is continuous integration does not matter."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    for name in ("PYTEST_PLUGINS", "PYTEST_XDIST_WORKER", "CI", "BUILD_NUMBER"):
        monkeypatch.delenv(name, raising=False)


def run(pytester: pytest.Pytester, *words: str) -> pytest.RunResult:
    return pytester.runpytest_inprocess(
        "-p", "emu.pytest_plugin", "-p", "no:cacheprovider", "-rs", *words
    )


def port(folder: Path, verdict: str, reason: str = "") -> None:
    path = write_port(folder, {"sum.c": SOURCE, "more.c": STUB})
    known = FunctionVerdict("UpdateSum", PLACE, verdict, reason)
    write_verdicts(read_project(path), [known])
    original = path.read_text().replace(str(ORIGINAL), "not-here.bin")
    path.write_text(original)  # as in continuous integration, where the old program is not


def test_a_verified_function_passes_and_a_stub_is_skipped(pytester: pytest.Pytester) -> None:
    port(pytester.path, "verified")
    result = run(pytester, "port.yaml")
    result.assert_outcomes(passed=1, skipped=1)
    result.stdout.fnmatch_lines(["*begin is a stub*"])


@pytest.mark.parametrize("verdict", ["refuted", "inconclusive"])
def test_another_fails_with_its_reason(verdict: str, pytester: pytest.Pytester) -> None:
    port(pytester.path, verdict, "call 38: lib is 3, expected 4")
    result = run(pytester, "port.yaml", "-k", "UpdateSum")
    result.assert_outcomes(failed=1, deselected=1)
    result.stdout.fnmatch_lines(
        [f"*UpdateSum, {PLACE}, is {verdict}: call 38: lib is 3, expected 4"]
    )


def test_two_functions_at_one_place_are_an_error(pytester: pytest.Pytester) -> None:
    write_port(pytester.path, {"sum.c": SOURCE, "more.c": STUB.replace("1+0x126", "1+0xd2")})
    result = run(pytester, "port.yaml")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*more.c, line 1: CODE 1+0xd2 is the place of UpdateSum already*"])


def test_a_function_without_a_verdict_fails(pytester: pytest.Pytester) -> None:
    write_port(pytester.path)
    result = run(pytester, "port.yaml")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*is inconclusive: nobody has verified it*"])


def test_a_verdict_of_older_source_fails(pytester: pytest.Pytester) -> None:
    port(pytester.path, "verified")
    (pytester.path / "sum.c").write_text(SOURCE.replace("bytes[0]", "bytes[1]"))
    result = run(pytester, "port.yaml", "-k", "UpdateSum")
    result.assert_outcomes(failed=1, deselected=1)
    result.stdout.fnmatch_lines(["*has changed since its verdict*"])


def test_a_port_is_collected_where_the_settings_list_it(pytester: pytest.Pytester) -> None:
    port(pytester.path, "verified")
    run(pytester).assert_outcomes()
    pytester.makeini("[pytest]\nmacproof_cases = port.yaml\n")
    run(pytester).assert_outcomes(passed=1, skipped=1)


def test_a_port_without_a_function_is_an_error(pytester: pytest.Pytester) -> None:
    write_port(pytester.path, {"a.c": "short a;\n"})
    result = run(pytester, "port.yaml")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*no function of this port is begun*"])


def test_a_wrong_port_is_an_error_with_its_line(pytester: pytest.Pytester) -> None:
    path = write_port(pytester.path)
    path.write_text(path.read_text().replace("sum.c", "lost.c"))
    result = run(pytester, "port.yaml")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*port.yaml, line 6: there is no file lost.c*"])


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory, compilers: Callable[..., None]) -> Path:
    compilers("68040")
    return recorded_port(tmp_path_factory.mktemp("game") / "old-game", ["Place", "DrawScore"], 3)


def test_where_recordings_are_the_calls_are_made_again(
    recorded: Path, pytester: pytest.Pytester
) -> None:
    """Verdicts that are kept count for nothing: those here say the opposite."""
    shutil.copytree(recorded.parent, pytester.path / "old-game")
    folder = pytester.path / "old-game" / "port"
    project = read_project(folder)
    places = {one.name: one.place for one in begun_functions(project)}
    write_verdicts(
        project,
        [
            FunctionVerdict("Place", places["Place"], "refuted", "it was wrong once"),
            FunctionVerdict("DrawScore", places["DrawScore"], "verified"),
        ],
    )
    before = (folder / "verdicts.json").read_bytes()
    result = run(pytester, str(folder / "port.yaml"), "-k", "(Place and not Replay) or DrawScore")
    result.assert_outcomes(passed=1, failed=1, deselected=37)
    result.stdout.fnmatch_lines(
        ["*DrawScore, CODE *, is refuted: call 1: *", "*its recorded calls were made again*"]
    )
    assert (folder / "verdicts.json").read_bytes() == before


def test_without_recordings_it_says_that_nothing_was_run(pytester: pytest.Pytester) -> None:
    port(pytester.path, "verified")
    result = run(pytester, "port.yaml", "-rP")
    result.stdout.fnmatch_lines(
        ["*UpdateSum was judged by verdicts.json alone, as there are no recordings here*"]
    )
