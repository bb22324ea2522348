"""Profiles of a case's programs, and the text of their sources."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from emu.base.errors import GuestError, WrongResultError
from emu.cases.keys.scene_name import SceneName
from emu.cases.programs.source_texts import SourceTexts
from emu.cases.programs.sources import source_tree
from emu.cases.programs.subject import Subject
from emu.report.forms.terminal import print_document
from emu.timing import profiling
from emu.timing.predict import TimedProgram, TimingPlan, UnpricedError, UnpricedProgram
from emu.timing.profile_document import profile_document
from emu.timing.profile_report import ProfiledScenes, ProfileReport, make_profile_report
from emu.timing.profiling import profile_programs, profiled_texts
from emu.toolchain.programs.gcc import BuiltProgram
from tests.timing.profile_samples import (
    HOSTILE_NAME,
    TEXT,
    sample_profile,
    sample_report,
)

PLAN = TimingPlan("uniform", (0, 40), 2, 1994)
CLOCKS = {"68040": 25.0, "601": 80.0}


def printed(report: ProfileReport, *, verbose: bool = False) -> list[str]:
    """The lines that a terminal shows."""
    out = io.StringIO()
    print_document(profile_document(report), Console(file=out, width=80), verbose=verbose)
    return out.getvalue().splitlines()


def built(subject: Subject) -> BuiltProgram:
    return BuiltProgram(subject.program, subject.cpu, subject.build, "", (), "", "prebuilt", "")


@pytest.fixture(scope="module")
def profiled(case, prebuilt):
    subjects = prebuilt(("68040", "601"), ("period",))
    programs = [TimedProgram(subject, "own.cpp") for subject in subjects]
    found, unpriced = profile_programs(case, programs, [*map(built, subjects)], PLAN, CLOCKS)
    assert not unpriced
    return found


def test_the_largest_scenes_are_profiled_in_the_order_of_programs(profiled):
    assert [one.model.cpu for one in profiled] == ["68040", "601"]
    for one in profiled:
        assert one.has_lines
        assert one.profile.calls == 2
        calls = {cost.name: cost.calls for cost in one.profile.functions}
        assert calls["_IntersectQ"] > 0  # of no objects there would be none
        assert calls["GetMyFirstObject"] == 4


def test_the_report_says_the_same_for_all_ways(case, profiled):
    texts = profiled_texts(source_tree(case), [one.profile for one in profiled])
    assert not texts.missing
    report = make_profile_report(case, PLAN, profiled, texts)
    assert report.scenes == ProfiledScenes(SceneName("uniform", 40, 1994), 2)
    assert [file.name for file in report.files] == ["four_shifts.cpp", "memory.c"]
    for program in report.programs:
        for way in (program.functions, program.lines, program.code):
            assert sum(each.cycles for each in way) == pytest.approx(program.cycles)
        for way in (program.functions, program.lines, program.sources):
            assert sum(each.share for each in way) == pytest.approx(1)
    assert report == make_profile_report(case, PLAN, profiled, texts)


def test_text_for_readers(case, profiled):
    texts = profiled_texts(source_tree(case), [one.profile for one in profiled])
    report = make_profile_report(case, PLAN, profiled, texts, command=["macproof", "timing"])
    lines = printed(report)
    text = "\n".join(lines)
    assert "where the cycles of a call go" in lines[0]
    assert "not measured" in lines[1]
    assert "gCollisionArray[a - gObjects] = 1;" in text
    assert "more lines" in text
    assert len(printed(report, verbose=True)) > len(lines)
    heading = lines.index("601 period: where the cycles of a call go")
    assert f"{profiled[1].profile.cycles:,.1f} cycles" in lines[heading + 1]


@pytest.mark.slow
def test_a_wrong_or_deadly_program_is_not_profiled(case, compile_ports, broken_port):
    names = ("no shift 00", "kills the engine")
    ports = compile_ports({name: broken_port(name) for name in names}, ("68040",), ("O2",))
    for name, error, words in zip(
        names, (WrongResultError, GuestError), ("is wrong", "68040 O2 .* down"), strict=True
    ):
        subject = ports[name, "68040", "O2"]
        with pytest.raises(error, match=words):
            profile_programs(case, [TimedProgram(subject, "a")], [built(subject)], PLAN, CLOCKS)


def test_what_no_model_knows_is_left_out_unless_it_is_all(case, prebuilt, profiled, monkeypatch):
    subjects = prebuilt(("68040", "601"), ("period",))
    programs = [TimedProgram(subject, "own.cpp") for subject in subjects]
    counts = profiling.count_program(case.path, programs[1], PLAN.specs(40))
    first, second = (UnpricedProgram(program, "no timing for something") for program in programs)
    origins = [*map(built, subjects)]
    monkeypatch.setattr(profiling, "_counted", lambda *rest: [first, counts])
    found, unpriced = profile_programs(case, programs, origins, PLAN, CLOCKS)
    assert [one.model.cpu for one in found] == ["601"]
    assert [(str(one.program), one.why) for one in unpriced] == [
        ("68040 period (own.cpp)", "no timing for something")
    ]
    monkeypatch.setattr(profiling, "_counted", lambda *rest: [first, second])
    with pytest.raises(UnpricedError, match=r"601 period.*no timing"):
        profile_programs(case, programs, origins, PLAN, CLOCKS)


class Tree:
    """Sources that are read already."""

    def __init__(self, **files: bytes) -> None:
        self.files = {name.replace("__", "/").replace("_", "."): f for name, f in files.items()}
        self.originals: dict[str, bytes] = {}

    def read(self) -> Tree:
        return self


def texts_of(**files: bytes) -> SourceTexts:
    return profiled_texts(Tree(**files), [sample_profile()])


def test_lines_end_where_they_do_for_the_compiler():
    texts = texts_of(program__a_c="one\r\n\ttwo\x0c\u2028\n\nfour\n".encode())
    assert texts.lines == {"a.c": ("one", "    two\x0c\u2028", "", "four")}
    assert [texts.line("a.c", n) for n in (0, 2, 4, 5)] == ["", "    two\x0c\u2028", "four", ""]
    assert texts.line("b.c", 1) == ""


def test_text_of_an_old_macintosh_is_read():
    assert texts_of(program__a_c=b"\n\n// caf\x8e\n").line("a.c", 3) == "// café"


def test_a_file_that_is_not_there_is_said_to_be_missing():
    texts = texts_of(program__b_c=b"1\n2\n3\n")
    assert (texts.lines, list(texts.missing)) == ({}, ["a.c"])
    assert "not one of the files" in texts.missing["a.c"]


def test_another_file_of_the_name_is_not_taken_for_it():
    assert (
        "code of line 3, and the file has 2 lines"
        in texts_of(program__a_c=b"1\n2\n").missing["a.c"]
    )


def test_of_two_files_of_one_name_neither_is_taken():
    texts = texts_of(program__a_c=b"1\n2\n3\n", compat__a_c=b"\n\n\n")
    assert "two different files" in texts.missing["a.c"]
    assert texts_of(program__a_c=b"1\n2\n3\n", compat__a_c=b"1\n2\n3\n").lines  # the same text


def test_hostile_names_do_not_reach_the_terminal(case, tmp_path):
    texts = SourceTexts({"a.c": TEXT}, {})
    lines = "\n".join(printed(sample_report(case, tmp_path, texts)))
    assert HOSTILE_NAME not in lines
    assert "\x1b" not in lines
    assert "\u202e" not in lines
    assert "\\x1b[31m\\u202ef" in lines
    assert "(no symbol)" in lines
    assert "(no line information)" in lines
