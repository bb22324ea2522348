"""What macproof refuses because it could only give a false or a lost verdict."""

from __future__ import annotations

import sys

import pytest

from emu.base.errors import UsageError
from emu.cases.find import load_case
from emu.cases.keys.scene_name import SceneName
from emu.cases.programs.subject import Subject
from emu.cases.scenes import ask_reference, scene_of
from emu.machine import CPUS, BareMachine, Budget
from emu.program import read_elf
from emu.toolchain.sources import mac_sources
from emu.verify.batches.bench import Bench
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.runs.scene_runs import count_instructions
from emu.verify.runs.schedule import verify
from emu.verify.runs.verdicts import Result
from emu.verify.scenes.scene_spec import SceneSpec

PROGRAM = mac_sources() / "prebuilt" / "four-shifts-68040-O2.elf"
PORT = mac_sources() / "four_shifts" / "four_shifts.cpp"


def _case_with_reference(folder, reference):
    folder.mkdir(exist_ok=True)
    text = (PORT.parent / "case.yaml").read_text()
    text = text.replace("pyref.sectors.four_shifts:determine_collisions", reference)
    (folder / "case.yaml").write_text(text)
    (folder / "many_objects.case.yaml").touch()  # which it names
    (folder / PORT.name).write_text(PORT.read_text())
    return load_case(str(folder))


def test_a_reference_that_ends_the_process(tmp_path, monkeypatch):
    (tmp_path / "leaving.py").write_text("import sys\ndef reference(scene): sys.exit(0)\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    case = _case_with_reference(tmp_path / "case", "leaving:reference")
    with pytest.raises(
        UsageError, match="leaving:reference fails on uniform, 2 objects, seed 1: SystemExit: 0"
    ):
        ask_reference(case, scene_of(case, SceneName("uniform", 2, 1)))
    assert "leaving" in sys.modules


@pytest.mark.parametrize(
    ("body", "ending"),
    [("os._exit(0)", "exit code 0"), ("os.kill(os.getpid(), 9)", "SIGKILL")],
)
def test_a_reference_that_ends_its_process_is_not_taken_for_guest_code(tmp_path, body, ending):
    """Guest code and its engine run in the same process as the reference."""
    (tmp_path / "gone.py").write_text(f"import os\ndef reference(scene): {body}\n")
    case = _case_with_reference(tmp_path, "gone:reference")
    subject, spec = Subject("68040", "O2", PROGRAM), SceneSpec("uniform", 2, 1)
    words = rf"gone:reference fails on uniform, .*: it ended the process .* \({ending}\)"
    with pytest.raises(UsageError, match=words):
        verify(case, [subject], [spec], jobs=1)


def test_a_call_of_many_blocks_is_counted_and_its_verdict_stands():
    """Blocks limit what is traced. A call that returns is not wrong because it has many."""
    case = load_case("four-shifts")
    machine = BareMachine(read_elf(PROGRAM), CPUS["68040"], budget=Budget(blocks=100))
    scenes = Scenes.make(case, [SceneSpec("uniform", 200, 1994)])
    subject = Subject("68040", "O2", PROGRAM)
    good = Result(subject, scenes=1, comparisons=1)
    result = count_instructions(good, Bench.lay(case, machine), scenes)
    assert result.verdict == good.verdict and not result.crash
    assert result.instructions is not None
    assert result.instructions.count > result.instructions.blocks > 100


def test_memory_that_belongs_to_no_segment_is_not_zero():
    """Or a loop that clears one byte too many would leave nothing to be seen."""
    machine = BareMachine(read_elf(PROGRAM), CPUS["68040"], heap_size=0)
    end = max(segment.end for segment in machine.program.segments if segment.writable)
    tail = machine.pristine[machine.data.offset(end) :]
    assert len(tail) > 0
    assert (tail == 0xA5).all()
