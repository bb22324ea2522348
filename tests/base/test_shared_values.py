"""Values that worker processes make once between them."""

from pathlib import Path

import pytest

from emu.base.errors import UsageError
from emu.base.processes.workers import Workers
from emu.base.shared_values import made_once


def _make(log: Path, value: list[int]) -> list[int]:
    with log.open("a") as file:
        file.write("made\n")
    return value


def _once(name: str, log: Path, value: list[int]) -> list[int]:
    return made_once(name, lambda: _make(log, value))


def _refused(name: str) -> None:
    def refuse() -> None:
        raise UsageError(f"{name} is refused")

    made_once(name, refuse)


def _times(log: Path) -> int:
    return log.read_text().count("made")


def test_workers_make_a_value_once_for_each_name(tmp_path):
    log = tmp_path / "log"
    with Workers(1) as first, Workers(1) as second:
        assert first.submit(_once, "a", log, [1, 2]).result() == [1, 2]
        assert _times(log) == 1
        # Another process takes it from there; what it would have made itself is not made.
        assert second.submit(_once, "a", log, [3]).result() == [1, 2]
        assert _times(log) == 1
        assert second.submit(_once, "b", log, [3]).result() == [3]
        assert _times(log) == 2


@pytest.mark.slow
def test_what_cannot_be_made_is_told_each_time():
    with Workers(1) as workers:
        for _ in range(2):
            with pytest.raises(UsageError, match="c is refused"):
                workers.submit(_refused, "c").result()


def test_a_process_that_is_no_worker_makes_its_own(tmp_path):
    log = tmp_path / "log"
    assert _once("a", log, [1]) == [1]
    assert _once("a", log, [2]) == [2]
    assert _times(log) == 2
