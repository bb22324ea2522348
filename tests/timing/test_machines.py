"""Machines by name: their processors have models, and those that do not are told."""

from __future__ import annotations

import pytest

from emu.base.errors import UsageError
from emu.cases.find import load_case
from emu.cycles.models import MODELS
from emu.timing.machines import MACHINES, MISSING, memory_of, modelled_machine
from emu.timing.predict import predict_program
from emu.timing.programs import make_plan, programs_to_time
from emu.toolbox.computer.macintosh_models import MACHINES as RUN_MACHINES


def test_each_has_a_model_and_a_source():
    for name, machine in MACHINES.items():
        assert modelled_machine(name) is machine
        assert machine.cpu in MODELS and machine.source and machine.memory


def test_machines_that_run_has_too_have_the_same_processor():
    shared = MACHINES.keys() & RUN_MACHINES.keys()
    assert shared == {"plus", "se30", "quadra", "6100"}
    # A program is not run on a 68030 but on a 68040, which executes the same code.
    same = shared - {"se30"}
    assert all(MACHINES[name].cpu == RUN_MACHINES[name].cpu for name in same)


@pytest.mark.parametrize("name", MISSING)
def test_what_a_model_would_need_is_told(name):
    with pytest.raises(UsageError, match=r"lacks .*no cycle model"):
        modelled_machine(name)


def test_a_name_that_is_nearly_right():
    with pytest.raises(UsageError, match=r"there is no machine 840a; did you mean 840av\?"):
        modelled_machine("840a")


def test_a_processor_that_a_case_does_not_name_executes_code_that_it_names() -> None:
    case = load_case("four-shifts")
    assert "68030" not in case.cpus
    timed = programs_to_time(case, cpus=["68030"], builds=["O2"], use="prebuilt", memory="lc")
    (program,) = timed.programs
    assert (program.subject.cpu, program.subject.build) == ("68030", "O2, 68000 code")
    assert program.memory == "lc"


@pytest.mark.parametrize(("name", "memory"), [("lc", "lc"), ("quadra", ""), (None, "")])
def test_only_machines_with_small_caches_have_a_memory(name: str | None, memory: str) -> None:
    assert memory_of(name) == memory


def test_memory_reaches_the_prediction() -> None:
    case = load_case("four-shifts")
    plan = make_plan(case, objects=[0], scenes=1)
    cycles = []
    for memory in ("ii", "lc"):
        timed = programs_to_time(case, cpus=["68020"], builds=["O2"], use="prebuilt", memory=memory)
        cycles.append(predict_program(case, timed.programs[0], plan).sizes[0].cycles)
    assert cycles[0] < cycles[1]
