"""The pytest plugin: what is collected, what fails and how it says so, options, xdist."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest

import emu.report.forms.write
import emu.verify.report.join_reports
import macproof
from emu.cli import main
from emu.verify.report.read_report import read_reports
from tests.conftest import ROOT

BOUNCE = ROOT / "examples" / "bounce"
AT_THE_WALL = ("2 * (kRoomWidth - 1) - b->x", "2 * kRoomWidth - b->x")
ILLEGAL = ("    gBounceCount = 0;", '    asm volatile("illegal");')
NO_CPP = ("short gBallCount;", "short gBallCount")
FEW = ("--macproof-scenes", "40")
# A run in this process forgets the modules that it has imported; imported again, their classes
# would be others. So what runs import is imported before.
IMPORTED = (emu.report.forms.write, emu.verify.report.join_reports, jsonschema, macproof.check)


class Project:
    """A folder with the case ``bounce``, in which pytest runs with the plugin and no other."""

    def __init__(self, pytester: pytest.Pytester) -> None:
        self.pytester = pytester
        others = shutil.ignore_patterns("test_*", "__pycache__")
        shutil.copytree(BOUNCE, pytester.path / "bounce", ignore=others)

    def change(self, change: tuple[str, str], file: str = "bounce.cpp") -> None:
        """Replace a piece of one of the case's files, which must be there once."""
        path = self.pytester.path / "bounce" / file
        text = path.read_text()
        assert text.count(change[0]) == 1
        path.write_text(text.replace(*change))

    def run(self, *words: str | Path) -> pytest.RunResult:
        """Run pytest in this process."""
        return self.pytester.runpytest_inprocess("-p", "emu.pytest_plugin", *words)

    def run_apart(self, *words: str | Path) -> pytest.RunResult:
        """Run pytest in a process of its own."""
        return self.pytester.runpytest_subprocess("-p", "emu.pytest_plugin", *words)


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Whether this environment knows the plugin by its entry point does not matter.

    Nor does it matter whether this is continuous integration, where pytest's summary repeats the
    whole message of a failure.
    """
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    for name in ("PYTEST_PLUGINS", "PYTEST_XDIST_WORKER", "CI", "BUILD_NUMBER"):
        monkeypatch.delenv(name, raising=False)
    return Project(pytester)


@pytest.fixture
def compiled(project: Project, compilers: Callable[..., None]) -> Project:
    """The same, where the cross compilers are installed."""
    compilers()
    return project


def ids(result: pytest.RunResult) -> list[str]:
    """The tests that ``--collect-only -q`` lists."""
    return [line for line in result.outlines if "::" in line]


# -- what is collected ---------------------------------------------------------------------------


def test_a_case_on_the_command_line_is_a_test_for_each_processor_and_build(project: Project):
    names = ids(project.run("bounce/case.yaml", "--collect-only", "-q"))
    assert len(names) == 15
    assert names[0] == "bounce/case.yaml::bounce[68000-O0]"
    assert "bounce/case.yaml::bounce[68040-O2]" in names


def test_a_folder_on_the_command_line_is_searched_for_tests_only(project: Project):
    project.pytester.makepyfile(test_one="def test_one(): pass")
    result = project.run("bounce", "test_one.py", "--collect-only", "-q")
    assert ids(result) == ["test_one.py::test_one"]


@pytest.mark.parametrize("pattern", ["bounce", "bounce/", "./bounce", "*/case.yaml", ".", "**"])
def test_cases_of_the_ini_file_are_found(project: Project, pattern: str):
    project.pytester.makeini(f"[pytest]\nmacproof_cases = {pattern}\n")
    assert len(ids(project.run("--collect-only", "-q"))) == 15


def test_cases_of_pyproject_are_found(project: Project):
    project.pytester.makepyprojecttoml('[tool.pytest]\nmacproof_cases = ["bounce"]\n')
    assert len(ids(project.run("--collect-only", "-q"))) == 15


@pytest.mark.parametrize(
    "pattern", ["bounc", "case.yaml", "bounce/*.case.yaml", "bounce/bounce.cpp", "/", "../*", "x*"]
)
def test_a_pattern_without_a_case_is_an_error(project: Project, pattern: str):
    """Also beside one that has cases, and where tests are named: its case would never be run."""
    project.pytester.makepyfile(test_one="def test_one(): pass")
    project.pytester.makeini(f"[pytest]\nmacproof_cases =\n  bounce\n  {pattern}\n")
    for words in ((), ("test_one.py",)):
        result = project.run(*words)
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        result.stderr.fnmatch_lines([f"*macproof_cases: '{pattern}'*matches no case file*"])


def test_cases_outside_of_testpaths_are_an_error(project: Project):
    (project.pytester.path / "tests").mkdir()
    (project.pytester.path / "tests" / "test_one.py").write_text("def test_one(): pass")
    settings = "[pytest]\nmacproof_cases = bounce\ntestpaths = tests"
    project.pytester.makeini(settings)
    result = project.run()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*macproof_cases: 'bounce' is outside of testpaths (tests)*"])
    assert project.run("tests").ret == pytest.ExitCode.OK
    project.pytester.makeini(f"{settings} bounce\n")
    assert len(ids(project.run("--collect-only", "-q"))) == 16


def test_a_case_for_none_of_the_chosen_processors_is_told(project: Project):
    result = project.run("bounce/case.yaml", "--macproof-cpu", "mips")
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    result.stdout.fnmatch_lines(["*bounce is for 68000, 68040, 601, so nothing of it is run"])


def test_several_cases_of_one_folder(project: Project):
    folder = project.pytester.path / "bounce"
    shutil.copy(folder / "case.yaml", folder / "again.case.yaml")
    shutil.copy(folder / "case.yaml", folder / "lowercase.yaml")  # no name of a case file
    project.pytester.makeini("[pytest]\nmacproof_cases = bounce\n")
    names = ids(project.run("--collect-only", "-q", "--macproof-cpu", "601", "-k", "O2"))
    assert names == [f"bounce/{file}::bounce[601-O2]" for file in ("again.case.yaml", "case.yaml")]


def test_a_test_can_be_named(project: Project):
    name = "bounce/case.yaml::bounce[68040-O2]"
    assert ids(project.run(name, "--collect-only", "-q")) == [name]
    all_of_it = project.run("bounce/case.yaml::bounce", "--collect-only", "-q")
    assert len(ids(all_of_it)) == 15


def test_a_wrong_case_file_is_an_error_with_its_line(project: Project):
    project.change(("\nreference:", "\nreferense:"), "case.yaml")
    result = project.run("bounce/case.yaml")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(
        ["*bounce/case.yaml, line 18: the key referense is not known; did you mean reference?"]
    )
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.no_fnmatch_line("*emu/*")


# -- what comes of it ----------------------------------------------------------------------------


def test_what_is_verified_passes(compiled: Project):
    result = compiled.run("bounce/case.yaml", "-k", "O2", *FEW)
    result.assert_outcomes(passed=3, deselected=12)


def test_a_refuted_case_fails_with_its_story(compiled: Project):
    compiled.change(AT_THE_WALL)
    result = compiled.run("bounce/case.yaml::bounce[68040-O2]", *FEW)
    result.assert_outcomes(failed=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        [
            "*bounce[[]68040-O2[]]*",
            "bounce on the 68040, build O2, fails on a scene: anywhere, 64 objects, seed 1994",
            "The smallest scene found that still fails has 1 of the 64 objects*",
            "- First difference: gBalls[[]0[]].x is *, expected *.",
            "- It was last written at 0x* MoveBalls+0x* (bounce.cpp:*).",
            "To see it again: macproof explain bounce/case.yaml --cpu 68040 --build O2 "
            "--scenes 40 --seed 1994",
            "FAILED bounce/case.yaml::bounce[[]68040-O2[]] - *",
        ]
    )
    assert "Traceback" not in result.stdout.str()
    assert "emu/" not in result.stdout.str()


@pytest.mark.slow
def test_the_command_of_the_story_shows_the_same(
    compiled: Project, capsys: pytest.CaptureFixture[str]
):
    compiled.change(AT_THE_WALL)
    words = ("--macproof-seed", "7", *FEW)
    said = compiled.run("bounce/case.yaml::bounce[601-Os]", *words).outlines
    (command,) = [line for line in said if line.startswith("To see it again: ")]
    assert "--seed 7" in command
    capsys.readouterr()
    assert main(shlex.split(command)[5:]) == 1
    again = capsys.readouterr().out
    for begin in ("bounce on the 601, build Os, fails on a scene: ", "- First difference: "):
        (line,) = [line for line in said if line.startswith(begin)]
        assert line in again.splitlines()


def test_an_inconclusive_case_fails_with_the_reason(compiled: Project):
    compiled.change(ILLEGAL)
    result = compiled.run("bounce/case.yaml::bounce[68040-O2]", *FEW)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "    processor exception: illegal instruction",
            "Verdict: 68040 O2 inconclusive.",
            "To see it again: macproof explain bounce/case.yaml --cpu 68040 *",
        ]
    )


def test_nothing_compared_is_no_success(compiled: Project):
    result = compiled.run("bounce/case.yaml::bounce[601-O2]", "--macproof-scenes", "0")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "bounce: 601 O2 is inconclusive: nothing was compared",
            "To see it again: macproof verify bounce/case.yaml --cpu 601 *",
        ]
    )


def test_a_missing_compiler_skips_with_the_reason(project: Project, no_compilers: None):
    result = project.run("bounce/case.yaml", "-k", "601 and O2", "-rs")
    result.assert_outcomes(skipped=1, deselected=14)
    lines = (BOUNCE / "case.yaml").read_text().splitlines()
    line = lines.index("call: MoveBalls") + 1
    said = f"SKIPPED*bounce/case.yaml:{line}: powerpc-linux-gnu-g++ is not *"
    result.stdout.fnmatch_lines([said])


def test_a_source_that_does_not_compile_fails_with_what_the_compiler_said(compiled: Project):
    compiled.change(NO_CPP)
    result = compiled.run("bounce/case.yaml::bounce[68000-O1]", *FEW)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*bounce.cpp*error: expected*"])
    assert "emu/" not in result.stdout.str()


def test_a_reference_that_fails_is_shown_with_its_line_if_asked(compiled: Project):
    compiled.change(
        ("    x = scene.x + scene.dx\n", "    x = scene.x + None\n"), "bounce_reference.py"
    )
    case = "bounce/case.yaml::bounce[601-O2]"
    assert "in move_balls" not in compiled.run(case, *FEW).stdout.str()
    compiled.run(case, "-v", *FEW).stdout.fnmatch_lines(["*TypeError*", "*in move_balls"])


# -- options -------------------------------------------------------------------------------------


def test_only_one_processor(project: Project):
    names = ids(project.run("bounce/case.yaml", "--macproof-cpu", "601", "--collect-only", "-q"))
    assert len(names) == 5
    assert all("[601-" in name for name in names)


def test_an_unknown_processor_is_refused(project: Project):
    result = project.run("bounce/case.yaml", "--macproof-cpu", "68004")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["ERROR: --macproof-cpu: there is no CPU 68004; did you mean 68040?"]
    )


@pytest.mark.parametrize("option", ["--macproof-seed", "--macproof-scenes"])
def test_what_is_no_number_is_refused(project: Project, option: str):
    result = project.run(option, "-1")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*{option}: '-1' is no whole number from 0 up"])


def test_a_report_of_another_kind_is_refused(project: Project):
    result = project.run("bounce/case.yaml", "--macproof-report", "a.pdf")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--macproof-report: 'a.pdf' ends in .pdf; give a file that*"])


def test_the_report_joins_the_programs_of_a_case(compiled: Project):
    words = ("bounce/case.yaml", "-k", "O2", *FEW, "--macproof-report")
    compiled.run(*words, "reports").stdout.fnmatch_lines(
        ["macproof: the report is in *macproof.json and *macproof.html"]
    )
    (report,) = read_reports(compiled.pytester.path / "reports" / "macproof.json")
    assert report.verdict == "verified"
    assert [result.name for result in report.results] == ["68000 O2", "68040 O2", "601 O2"]
    assert report.not_run == ()
    receipt = report.receipt
    assert receipt.comparisons == sum(result.comparisons for result in report.results)
    assert sum(fill.calls for fill in receipt.memory) == sum(one.calls for one in report.results)
    assert receipt.command[:2] == ("pytest", "-p")
    assert "68000" in (compiled.pytester.path / "reports" / "macproof.html").read_text()


def test_a_report_with_what_has_no_verdict_is_undecided(
    compiled: Project, monkeypatch: pytest.MonkeyPatch
):
    # The 601 alone refuses this source.
    compiled.change(("short gBallCount;", "short gBallCount;\n#ifdef powerc\n#error no\n#endif"))
    result = compiled.run("bounce/case.yaml", "-k", "O2", *FEW, "--macproof-report", "one.json")
    result.assert_outcomes(passed=2, failed=1, deselected=12)
    (report,) = read_reports(compiled.pytester.path / "one.json")
    assert report.verdict == "inconclusive"
    (left,) = report.not_run
    assert left.what == "601 O2"
    assert "#error" in left.why


def test_no_report_is_said_to_be_none(project: Project, no_compilers: None):
    words = ("bounce/case.yaml", "--macproof-cpu", "601", "--macproof-report", "one.html")
    result = project.run(*words)
    result.stdout.fnmatch_lines(
        [
            "macproof: no report of bounce: powerpc-linux-gnu-g++ is not *",
            "macproof: no case came to a verdict, so no report is written",
        ]
    )
    assert not (project.pytester.path / "one.html").exists()


SUMMARY = (
    r"FAILED bounce/case\.yaml::bounce\[68040-O2\] - gBalls\[\d+\]\.x is -?\d+, expected -?\d+ "
    r"(\(it was -?\d+ before, too\) )?\(anywhere, 64 objects, seed 1994\)"
)


@pytest.mark.slow
@pytest.mark.parametrize("words", [(), pytest.param(("-p", "xdist", "-n", "1"), id="xdist")])
def test_the_summary_of_continuous_integration_has_one_line_for_a_failure(
    compiled: Project, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
):
    """There pytest does not cut what it shows, and the story was printed a second time."""
    monkeypatch.setenv("CI", "1")
    compiled.change(AT_THE_WALL)
    name = "bounce/case.yaml::bounce[68040-O2]"
    result = compiled.run_apart(name, *FEW, *words, "--junit-xml", "one.xml")
    result.assert_outcomes(failed=1)
    lines = result.stdout.lines
    assert sum("First difference" in line for line in lines) == 1
    start = next(index for index, line in enumerate(lines) if "short test summary" in line)
    assert re.fullmatch(SUMMARY, lines[start + 1])
    assert lines[start + 2].startswith("=")
    (failure,) = ElementTree.parse(compiled.pytester.path / "one.xml").iter("failure")
    assert re.match(r"gBalls\[\d+\]\.x is", failure.get("message") or "")
    assert "First difference" in (failure.text or "")


def test_a_report_that_cannot_be_written_is_an_error(compiled: Project):
    (compiled.pytester.path / "file").touch()
    case = "bounce/case.yaml::bounce[601-O2]"
    result = compiled.run(case, *FEW, "--macproof-report", "file/one.html")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stdout.fnmatch_lines(["ERROR: --macproof-report: file/one.html: *"])


@pytest.mark.slow
def test_workers_of_xdist_report_to_the_main_process(compiled: Project):
    compiled.change(AT_THE_WALL)
    words = ("-p", "xdist", "-n", "2", *FEW, "--macproof-report", "all.json")
    result = compiled.run_apart("bounce/case.yaml", "-k", "O2", *words)
    result.assert_outcomes(failed=3)
    result.stdout.fnmatch_lines(["- First difference: gBalls[[]0[]].x is *, expected *."])
    assert "emu/" not in result.stdout.str()
    (report,) = read_reports(compiled.pytester.path / "all.json")
    assert report.verdict == "refuted"
    assert {result.name for result in report.results} == {"68000 O2", "68040 O2", "601 O2"}


# -- the marker and the fixture ------------------------------------------------------------------

MARKED = """
import pytest

@pytest.mark.mac(case="bounce/case.yaml", cpus=["68040", "601"], builds=["O2"])
@pytest.mark.parametrize("dx", [3, -3])
def test_a_step(mac, dx):
    assert mac.globals["gBallCount"] == 0, "another test has left this"
    mac.globals["gBallCount"][...] = 1
    mac.globals["gBalls"][0] = (100, dx)
    mac.functions.MoveBalls()
    assert mac.globals["gBalls"]["x"][0] == 100 + dx
    assert mac.cpu.name in ("68040", "601")
"""


def test_a_marked_test_runs_on_each_processor_and_build(compiled: Project):
    compiled.pytester.makepyfile(test_marked=MARKED)
    result = compiled.run("--strict-markers", "-v")
    result.assert_outcomes(passed=4)
    result.stdout.fnmatch_lines(["test_marked.py::test_a_step[[]68040-O2-3[]] PASSED*"])
    only = compiled.run("--macproof-cpu", "601")
    only.assert_outcomes(passed=2)


def test_the_machine_of_a_test_is_closed_after_it(compiled: Project):
    compiled.pytester.makepyfile(
        """
        import pytest
        kept = []
        @pytest.mark.mac(case="bounce", cpus=["601"], builds=["O2"])
        class TestKept:
            def test_one(self, mac):
                mac.functions.MoveBalls()
                kept.append(mac)
            def test_two(self, mac):
                assert mac is not kept[0]
                with pytest.raises(Exception, match="closed"):
                    kept[0].functions.MoveBalls()
        """
    )
    compiled.run().assert_outcomes(passed=2)


def test_all_processors_and_builds_of_the_case_are_the_default(project: Project):
    project.pytester.makepyfile(
        """
        import pytest
        @pytest.mark.mac("bounce")
        class TestAll:
            def test_one(self, mac): pass
            def test_without(self): pass
        """
    )
    assert len(ids(project.run("--collect-only", "-q"))) == 16


def test_a_case_of_macproof_itself_needs_no_compiler(project: Project, no_compilers: None):
    project.pytester.makepyfile(
        """
        import pytest
        @pytest.mark.mac(case="four-shifts", cpus=["601"], builds=["O2"])
        def test_abs(mac): assert mac.program.architecture == "powerpc"
        """
    )
    project.run().assert_outcomes(passed=1)


def test_a_marked_test_is_skipped_without_a_compiler(project: Project, no_compilers: None):
    project.pytester.makepyfile(test_marked=MARKED)
    result = project.run("-rs")
    result.assert_outcomes(skipped=4)
    result.stdout.fnmatch_lines(["SKIPPED*powerpc-linux-gnu-g++ is not installed*"])


def test_a_marked_test_of_what_does_not_compile_says_what_the_compiler_said(compiled: Project):
    compiled.change(NO_CPP)
    compiled.pytester.makepyfile(test_marked=MARKED)
    result = compiled.run("-k", "68040 and 3")
    result.assert_outcomes(errors=2, deselected=2)
    result.stdout.fnmatch_lines(["*bounce.cpp*error: expected*"])
    assert "emu/" not in result.stdout.str()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "@pytest.mark.mac needs one case: *"),
        ("cpus=['601']", "@pytest.mark.mac needs one case: *"),
        ("case=3", "@pytest.mark.mac needs one case: *"),
        ("case='bonce'", "@pytest.mark.mac: there is no case bonce*"),
        ("case='bounce', cpus=['68004']", "*there is no CPU 68004; did you mean 68040?"),
        ("case='bounce', builds=['O22']", "*bounce has no build O22; did you mean O2?"),
        ("case='bounce', cpus='601'", '*cpus is a list of names, such as cpus=[[]"601"[]]'),
        ("case='bounce', builds=[]", "*builds is a list of names*"),
        ("case='bounce', cpu=['601']", "*has no argument cpu; did you mean cpus?"),
    ],
)
def test_a_wrong_marker_is_an_error_of_its_test(project: Project, arguments: str, message: str):
    """It names the test and its line, and the other tests of the file are run."""
    project.pytester.makepyfile(
        test_file=f"import pytest\n@pytest.mark.mac({arguments})\ndef test_one(mac): pass\n"
        "def test_another(): pass\n"
    )
    result = project.run()
    result.assert_outcomes(errors=1, passed=1)
    result.stdout.fnmatch_lines([message, "It is the marker of test_one*, test_file.py:[23]"])
    assert "Traceback" not in result.stdout.str()
    assert "emu/" not in result.stdout.str()


def test_a_fault_shows_the_line_of_the_test_and_none_of_macproof(project: Project):
    project.pytester.makepyfile(
        """
        import pytest
        @pytest.mark.mac(case="four-shifts", cpus=["601"], builds=["O0"])
        def test_typed(mac): mac.functions._CalcCollisionsInSector(0x00400000)
        @pytest.mark.mac(case="four-shifts", cpus=["601"], builds=["O0"])
        def test_words(mac): mac.call("_CalcCollisionsInSector", 0x00400000)
        """
    )
    result = project.run()
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*mac.functions._CalcCollisionsInSector(0x00400000)"])
    result.stdout.fnmatch_lines(["E*GuestFault: *_CalcCollisionsInSector*"])
    assert "emu/" not in result.stdout.str()


def test_the_fixture_without_the_marker_says_what_is_missing(project: Project):
    project.pytester.makepyfile("def test_one(mac): pass")
    result = project.run()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["the fixture mac needs a case: @pytest.mark.mac(case=*"])


def test_a_fixture_mac_of_somebody_else_is_left_alone(project: Project):
    project.pytester.makepyfile(
        """
        import pytest
        @pytest.fixture
        def mac(): return "00:00:5e:00:53:01"
        def test_one(mac): assert mac.startswith("00")
        """
    )
    project.run().assert_outcomes(passed=1)


# -- a check in a test of one's own --------------------------------------------------------------

CHECK = """
import macproof

def test_it():
    found = macproof.check("bounce/case.yaml", build="O2", scenes=40)
    assert found.verdict == "verified"
    assert len(found.report.results) == 3
"""


def test_a_check_passes(compiled: Project):
    compiled.pytester.makepyfile(CHECK)
    compiled.run().assert_outcomes(passed=1)


@pytest.mark.slow
def test_a_check_fails_like_an_assertion(compiled: Project):
    compiled.change(AT_THE_WALL)
    compiled.pytester.makepyfile(CHECK)
    result = compiled.run()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            ">*macproof.check(*",
            "E*bounce on the 68000, build O2, fails on a scene: *",
            "E*- First difference: gBalls*",
            "E*Verdict: 68000 O2 refuted, 68040 O2 refuted, 601 O2 refuted.",
            "E*To see it again: macproof explain bounce/case.yaml --cpu 68000 --build O2 *",
        ]
    )
    assert "emu/" not in result.stdout.str()


# -- what it costs -------------------------------------------------------------------------------


def test_the_plugin_imports_nothing_where_it_is_not_used(project: Project):
    project.pytester.makepyfile(
        """
        import sys
        def test_loaded():
            assert [name for name in sys.modules if name.split(".")[0] == "emu"] == [
                "emu", "emu.pytest_plugin"
            ]
            assert not {"numpy", "unicorn", "rich", "yaml", "macproof"} & set(sys.modules)
        """
    )
    project.run_apart().assert_outcomes(passed=1)
