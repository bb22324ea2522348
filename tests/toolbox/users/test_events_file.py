"""The file with an exact recording is read as it was written."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.base.errors import CaseError
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.system_file.keyboard import MODIFIERS, NAMED
from emu.toolbox.users.checkpoints import Checkpoint
from emu.toolbox.users.events_file import Recording, events_text, read_events, write_events
from emu.toolbox.users.inputs import (
    FileDrop,
    HeldModifiers,
    KeyPress,
    KeyRelease,
    MouseMove,
    MousePress,
    MouseRelease,
    PictureObservation,
    RecordedInput,
    TextObservation,
    UserInput,
)

_numbers = st.integers(-32768, 32767)
_points = st.builds(Point, _numbers, _numbers)
_modifiers = st.lists(st.sampled_from(sorted(MODIFIERS)), unique=True).map(tuple)
_keys = st.sampled_from([*NAMED, "a", "Z", "1", "ü", "'", '"', "\\", "#", ":", " ", "~", "y", "-"])
_inputs = st.one_of(
    st.builds(MouseMove, _points),
    st.builds(MousePress, _points, _modifiers),
    st.builds(MouseRelease, _points, _modifiers),
    st.builds(KeyPress, _keys, _modifiers),
    st.builds(KeyRelease, _keys, _modifiers),
    st.builds(HeldModifiers, _modifiers),
    st.builds(FileDrop, st.text(min_size=1, max_size=20), st.binary(max_size=20)),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("events")


def test_a_large_file_is_written_at_once(folder: Path) -> None:
    """PyYAML took 2 s for each MB of it."""
    recording = (RecordedInput(1, FileDrop("1", bytes(8 << 20))),)
    began = time.monotonic()
    write_events(folder / "large.yaml", Recording(recording))
    assert time.monotonic() - began < 3
    assert read_events(folder / "large.yaml").inputs == recording


def test_what_was_observed_is_no_exact_input() -> None:
    """The script has it as a step."""
    observed = (RecordedInput(1, TextObservation("a")), RecordedInput(1, PictureObservation()))
    assert events_text(Recording(observed)) == "schema: macproof.events/1\nevents: []\n"


_digests = st.integers(0, (1 << 64) - 1).map("{:016x}".format)
_checkpoints = st.builds(
    Checkpoint,
    st.integers(1, 1 << 40),
    st.integers(0, 1 << 40),
    _digests,
    *(st.one_of(st.just(""), _digests) for _ in range(2)),
)


@given(
    st.lists(st.tuples(st.integers(1, 1 << 40), _inputs)),
    st.lists(_checkpoints, unique_by=lambda each: each.look),
)
def test_a_recording_is_read_as_it_was_written(
    folder: Path, pairs: list[tuple[int, UserInput]], checkpoints: list[Checkpoint]
) -> None:
    inputs = tuple(RecordedInput(*pair) for pair in sorted(pairs, key=lambda pair: pair[0]))
    recording = Recording(inputs, tuple(sorted(checkpoints, key=lambda each: each.look)))
    path = folder / "events.yaml"
    write_events(path, recording)
    assert read_events(path) == recording


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{look: 0, move: [1, 2]}", "events.0.look: 0 is less than the minimum of 1"),
        ("{look: 1}", "an event is one input, not 0"),
        ("{move: [1, 2]}", "the look at which it came is missing"),
        ("{moves: 1 2 3, look: 1}", "nothing stands beside them"),
        ("{moves: '1 2 3, 2 3'}", "'2 3' is no move: look, horizontal and vertical place"),
        ("{moves: '0 2 3'}", "'0 2 3': looks begin at 1"),
        ("{moves: '1 2 40000'}", "places are 16-bit numbers"),
        ("{moves: '2 2 3, 1 2 3'}", "looks never grow smaller"),
        ("{look: 1, move: [1]}", "events.0.move: [1] is too short"),
        ("{look: 1, move: [1, 2], press: [1, 2]}", "an event is one input, not 2"),
        (f"{{moves: '{'9' * 5000} 2 3'}}", f"line 3: '{'9' * 40}' is no move"),
        ("{look: 1, file: {name: a, data: é}}", "the data of a file are no base64"),
        ("{look: 1, key_down: returm}", "there is no key 'returm'"),
        ("{look: 1, key_up: \u4e2d}", "'\u4e2d' is not in the Macintosh's character set"),
        ("{look: 1, held: [hyper]}", "'hyper', not one of command"),
        ("{look: 1, move: [1, 2], modifiers: [shift]}", "modifiers belong to a press"),
        ("{look: 2, move: [1, 2]}\n  - {look: 1, move: [1, 2]}", "looks never grow smaller"),
    ],
)
def test_a_wrong_recording_is_refused_with_its_line(
    tmp_path: Path, line: str, problem: str
) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(f"schema: macproof.events/1\nevents:\n  - {line}\n")
    with pytest.raises(CaseError) as error:
        read_events(path)
    assert str(error.value).startswith(f"{path}, line ")
    assert problem in str(error.value)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{look: 4, calls: 1}", "log"),
        ("{look: 4, calls: 1, log: 12}", "checkpoints.1.log: 12 is not a text"),
        ("{look: 4, calls: 1, log: '0123456789abcdeF'}", "does not match"),
        ("{look: 3, calls: 1, log: '0123456789abcdef'}", "looks always grow"),
    ],
)
def test_a_wrong_checkpoint_is_refused_with_its_line(
    tmp_path: Path, line: str, problem: str
) -> None:
    path = tmp_path / "wrong.yaml"
    first = '  - {look: 3, calls: 1, log: "0123456789abcdef"}'
    path.write_text(f"schema: macproof.events/1\nevents: []\ncheckpoints:\n{first}\n  - {line}\n")
    with pytest.raises(CaseError) as error:
        read_events(path)
    assert str(error.value).startswith(f"{path}, line 5")
    assert problem in str(error.value)


def test_many_moves_are_read_soon_and_in_little_room(tmp_path: Path) -> None:
    """As in two minutes of a person who moves the mouse; each alone they took 2.6 s."""
    moves = [
        RecordedInput(look, MouseMove(Point(look % 400, look % 600))) for look in range(1, 7201)
    ]
    press = RecordedInput(7200, MousePress(Point(1, 2)))
    path = tmp_path / "moves.yaml"
    write_events(path, Recording((*moves, press)))
    assert path.stat().st_size < 120_000
    began = time.process_time()
    assert read_events(path).inputs == (*moves, press)
    assert time.process_time() - began < 1
