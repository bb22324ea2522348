"""Of each path some calls are kept, and a function that is called a million times is left alone."""

from __future__ import annotations

import itertools
from collections import Counter

from emu.port.recording.call_choice import CallChoice, Path

COMMON: Path = frozenset({(-1, 0), (0, 8)})
RARE: Path = frozenset({(-1, 0), (0, 20)})


different = itertools.count().__next__


class Run:
    """Calls of one function, and which of them are kept."""

    def __init__(self, most: int) -> None:
        self.choice = CallChoice(most)
        self.turn = 0
        self.kept: dict[int, Path] = {}

    def call(self, *paths: Path) -> None:
        for path in paths:
            self.turn += 1
            if self.choice.is_tried(different):
                self.keep(path)

    def keep(self, path: Path) -> None:
        self.turn += 1
        self.kept[self.turn] = path
        gone = self.choice.keep(self.turn, self.turn, path)
        if gone is not None:
            del self.kept[gone]
        assert self.choice.count == len(self.kept)


def test_calls_are_spread_over_the_run_and_the_first_stays() -> None:
    run = Run(10)
    run.call(*[COMMON] * 400)
    assert len(run.kept) == 10
    assert min(run.kept) == 2
    assert max(run.kept) > 100


def test_a_rare_path_takes_the_place_of_one_of_many() -> None:
    run = Run(10)
    run.call(*[COMMON] * 200)
    run.choice.expect_more()
    run.call(RARE)
    assert RARE in run.kept.values()
    assert len(run.kept) == 10


def test_each_path_is_kept_before_a_second_call_of_one() -> None:
    run = Run(5)
    for n in (0, 1, 0, 0, 2, 1, 3, 2, 4, 0):
        run.keep(frozenset({(-1, n)}))
    assert Counter(run.kept.values()).most_common(1)[0][1] == 1


def test_among_many_paths_new_steps_are_kept() -> None:
    """Each path has one call; one whose steps others have goes, and no step is lost."""
    run = Run(3)
    for path in ({(1, 2)}, {(1, 2), (2, 3)}, {(2, 3)}, {(7, 8)}):
        run.keep(frozenset(path))
    assert frozenset(itertools.chain(*run.kept.values())) == {(1, 2), (2, 3), (7, 8)}


def test_a_function_that_is_called_often_is_left_alone_until_it_goes_elsewhere() -> None:
    run = Run(5)
    run.call(*[COMMON] * 1000)
    assert run.choice.is_done
    assert not run.choice.is_tried(different)
    run.choice.expect_more()
    assert run.choice.is_tried(different)
    for _ in range(100):
        run.choice.expect_more()
        run.call(*[COMMON] * 30)
    assert run.choice.is_done, "there is an end to it"


def test_the_same_values_are_tried_once() -> None:
    choice = CallChoice(5)
    assert choice.is_tried(lambda: 7)
    assert not choice.is_tried(lambda: 7)
