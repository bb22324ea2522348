"""Functions that a jump leads to: they return for the function that jumped, too."""

from __future__ import annotations

from pathlib import Path

import pytest

from emu.port.original.session import SessionTerms
from emu.port.project.project import read_project
from emu.port.recording.recorder import Recorder, RecordTerms
from emu.port.recording.recordings import open_store
from tests.port.small_application import small_port

# First jumps to Second as its last act; so does Second to Third, on the second of two calls.
ASSEMBLY = """
        .text
        moveq   #1, %d6
1:      move.w  %d6, -(%sp)
        bsr.w   First
        addq.l  #2, %sp
        dbra    %d6, 1b
        .short  0xA9F4
Third:  addq.w  #4, -12(%a5)
        rts
Second: addq.w  #2, -12(%a5)
        tst.w   %d6
        beq.w   Third
        rts
First:  addq.w  #1, -12(%a5)
        bra.w   Second
        rts
"""
STRAY = """
        .text
        bsr.w   First
        jmp     0x01FEFFF0
First:  rts
"""


@pytest.fixture(autouse=True)
def _needs_compilers(compilers: object) -> None:
    assert callable(compilers)
    compilers()


def test_each_function_of_a_chain_of_jumps_is_kept(tmp_path: Path) -> None:
    port = small_port(tmp_path, ASSEMBLY, "")
    names = ["First", "Second", "Third"]
    port.record(names)
    project = read_project(tmp_path)
    with open_store(project, SessionTerms(project.original, project.cpu)) as store:
        (run,) = store.runs()
        assert run.end == ""
        assert store.counts() == dict(zip((port.places[n] for n in names), (2, 2, 1), strict=True))
        assert not any(run.never_returned.values())


def test_a_program_that_jumps_to_the_watched_address_faults_as_ever(tmp_path: Path) -> None:
    port = small_port(tmp_path, STRAY, "")
    project = read_project(tmp_path)
    terms = SessionTerms(project.original, project.cpu)
    with open_store(project, terms) as store:
        recorder = Recorder(terms, None, RecordTerms([port.places["First"]]), store)
        run = recorder.record()
    assert recorder.kept_counts == {port.places["First"]: 1}
    assert "jump to unmapped memory" in run.end
