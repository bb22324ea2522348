"""Machines by name: their processors have models, and those that do not are told."""

from __future__ import annotations

import pytest

from emu.base.errors import UsageError
from emu.cycles.models import MODELS
from emu.timing.machines import MACHINES, MISSING, modelled_machine
from emu.toolbox.machines import MACHINES as RUN_MACHINES


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
