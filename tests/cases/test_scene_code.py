"""Scenes whose own code fails: macproof says which, and never takes it for a mistake of its own."""

from __future__ import annotations

import contextlib
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

import pytest

import macproof
from emu.base.errors import UsageError
from emu.base.time_limit import TooLateError, at_most, patience
from emu.cases.keys.scene_name import SceneName
from emu.cases.scenes import ask_reference, scene_of, simpler_scenes
from tests.verify.small_cases import SmallCase

KEYS = "call: Go\narguments: {n: objects}\nobserve: {return: n}\nreference: small:expect\n"
EXPECT = "\n\ndef expect(scene):\n    return SimpleNamespace(n=scene.objects)\n"
ENDLESS = """
def simpler(self):
    while True:
        yield self

Numbers.simpler = simpler
"""
RAISES = """
def missing(self, name):
    raise RuntimeError(name)

Numbers.__getattr__ = missing
"""
LOCKED = """
import threading

made = make

def make(generator, objects, seed, *, width, height):
    scene = made(generator, objects, seed, width=width, height=height)
    scene.held = threading.Lock()
    return scene
"""


def case_of(folder: Path, python: str) -> macproof.Case:
    return SmallCase(folder, "short Go(short n) { return n; }", KEYS, python + EXPECT).case


def test_simpler_scenes_without_end_are_refused(tmp_path: Path) -> None:
    case = case_of(tmp_path, ENDLESS)
    with pytest.raises(UsageError, match="simpler scenes, perhaps without end"):
        next(simpler_scenes(case, scene_of(case, SceneName("any", 5, 1))))


def test_attributes_that_raise_are_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot be read: RuntimeError: corners \("):
        scene_of(case_of(tmp_path, RAISES), SceneName("any", 5, 1))


def test_a_scene_that_cannot_be_copied_is_told_as_such(tmp_path: Path) -> None:
    case = case_of(tmp_path, LOCKED)
    with pytest.raises(UsageError, match=r"^a scene of small:make cannot be copied for small:exp"):
        ask_reference(case, scene_of(case, SceneName("any", 5, 1)))


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no timer signals")
def test_an_interrupted_code_is_interrupted_again_only_if_it_goes_on() -> None:
    with contextlib.suppress(TooLateError), at_most(0.005), patience():
        signal.setitimer(signal.ITIMER_REAL, 0)  # only this test interrupts
        interrupt: Callable[..., None] = signal.getsignal(signal.SIGALRM)  # type: ignore[assignment]
        frame = sys._getframe()
        ours = _frame_of_contextlib()
        with pytest.raises(TooLateError):
            interrupt(signal.SIGALRM, ours)
        interrupt(signal.SIGALRM, ours)  # the first error is on its way out
        with pytest.raises(TooLateError):
            interrupt(signal.SIGALRM, frame)


def _frame_of_contextlib() -> FrameType:
    @contextlib.contextmanager
    def block() -> Iterator[FrameType]:
        yield sys._getframe(1)  # the frame that runs this generator is contextlib's

    with block() as frame:
        return frame
