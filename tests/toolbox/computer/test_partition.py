"""How much memory a program gets."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from emu.base.errors import UsageError
from emu.program.mac_file.mac_file import MacFile
from emu.program.mac_file.resource_fork import Resource, ResourceFork
from emu.toolbox.computer.partition import partition_of
from emu.toolbox.computer.settings import Settings


def asking_for(size: int | None, least: int = 0) -> MacFile:
    data = b"\0\0" + (size or 0).to_bytes(4, "big") + least.to_bytes(4, "big")
    resources = ResourceFork(() if size is None else (Resource("SIZE", -1, "", 0, data),))
    return MacFile(Path("Program"), "Program", "APPL", "????", 0, b"", resources, "a test")


@pytest.mark.parametrize(
    ("asked", "memory", "stack", "heap_kilobytes", "stack_kilobytes"),
    [
        (None, 0, 0, 4096 - 32 + 512, 32),
        (600 << 10, 0, 0, 600 - 32 + 512, 32),
        (64 << 10, 0, 0, 256 + 512, 32),
        (16 << 20, 0, 0, 16384 - 32 + 512, 32),
        (600 << 10, 2 << 20, 0, 2048 - 32 + 512, 32),
        (600 << 10, 0, 100 << 10, 600 - 100 + 512, 100),
        (600 << 10, 0, 2 << 20, 256 + 512, 2048),
    ],
)
def test_heap_and_stack_are_the_partition(
    asked: int | None, memory: int, stack: int, heap_kilobytes: int, stack_kilobytes: int
) -> None:
    settings = Settings(memory=memory, stack=stack)
    partition = partition_of(asking_for(asked), settings, has_color=True)
    assert (partition.heap >> 10, partition.stack >> 10) == (heap_kilobytes, stack_kilobytes)


def test_the_default_stack_is_the_machine_s_or_what_the_fragment_asks_for() -> None:
    file, settings = asking_for(None), Settings()
    assert partition_of(file, settings, has_color=False).stack == 8 << 10
    assert partition_of(file, settings, has_color=True, stack=64 << 10).stack == 64 << 10
    given = Settings(stack=16 << 10)
    assert partition_of(file, given, has_color=True, stack=64 << 10).stack == 16 << 10
    with pytest.raises(UsageError, match="asks for 16,777,216 bytes of stack"):
        partition_of(file, settings, has_color=True, stack=16 << 20)


def test_a_program_whose_code_does_not_fit_has_the_usual_memory() -> None:
    def partition_with(segment: int) -> int:
        size = asking_for(300 << 10).resources.find("SIZE", -1)
        assert size is not None
        code = Resource("CODE", 1, "", 0, bytes(segment))
        file = dataclasses.replace(asking_for(None), resources=ResourceFork((size, code)))
        partition = partition_of(file, Settings(), has_color=True)
        return (partition.heap + partition.stack >> 10) - 512

    assert partition_with(299 << 10) == 300
    assert partition_with(300 << 10) == 4096


def test_more_than_a_run_has_is_refused() -> None:
    with pytest.raises(UsageError, match="asks for at least 33,554,432 bytes"):
        partition_of(asking_for(32 << 20, 32 << 20), Settings(), has_color=True)


def test_a_program_that_wants_more_than_it_needs_gets_what_there_is() -> None:
    partition = partition_of(asking_for(32 << 20, 16 << 20), Settings(), has_color=True)
    assert partition == partition_of(asking_for(16 << 20), Settings(), has_color=True)
