"""What a played session and the process that controls it say to each other."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from emu.play.frames import ShownPixels
from emu.toolbox.users.checkpoints import Checkpoint
from emu.toolbox.users.inputs import Observation, RecordedInput, UserInput


class PlayState(StrEnum):
    """What a session does: the ``state`` of the page's ``moment``."""

    RUNNING = "running"
    PAUSED = "paused"
    REPLAYING = "replaying"
    ENDED = "ended"
    STUCK = "stuck"


# -- to the session --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ReplayOrder:
    """The first order to a session that has started or was woken: go to a moment.

    Attributes:
        inputs: the recording from here on.
        until: the look to go to as fast as possible, and to pause at; 0 to run at once.
        finding: go to where the finding of this number is found, if that comes earlier.
        last: the last look that the program has come to; the session repeats it until there.
        calls: which calls the page wants to see; None for those that it has seen before.
        follows: whether `FollowOrder` says how far to go each time.
    """

    inputs: tuple[RecordedInput, ...] = ()
    until: int = 0
    finding: int | None = None
    last: int = 0
    calls: CallsOrder | None = None
    follows: bool = False


@dataclass(frozen=True, slots=True)
class FollowOrder:
    """Go on up to a look, with these inputs, as fast as possible."""

    inputs: tuple[RecordedInput, ...]
    until: int


@dataclass(frozen=True, slots=True)
class InputOrder:
    """The person did something."""

    input: UserInput


@dataclass(frozen=True, slots=True)
class PauseOrder:
    """Stop here, or go on."""

    on: bool


@dataclass(frozen=True, slots=True)
class ForkOrder:
    """Forget what is left of the recording, and go on with what the person does."""


@dataclass(frozen=True, slots=True)
class CallsOrder:
    """Show calls with this part in their names."""

    on: bool
    part: str = ""


@dataclass(frozen=True, slots=True)
class FrameReceipt:
    """The page has taken a frame."""


@dataclass(frozen=True, slots=True)
class ObservationOrder:
    """Have the script look at something here."""

    observation: Observation


@dataclass(frozen=True, slots=True)
class ScriptOrder:
    """Send the recording as a script, as it is now."""


# -- from the session ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlayStart:
    """The program is loaded; or a copy of the session was woken.

    Attributes:
        process: the session's process.
        title: the program's name.
        width: of the screen, in pixels.
        height: of the screen.
        machine: the model of Macintosh.
        cpu: the processor.
    """

    process: int
    title: str
    width: int
    height: int
    machine: str
    cpu: str


@dataclass(frozen=True, slots=True)
class ScreenFrame:
    """What has changed on the screen."""

    pixels: tuple[ShownPixels, ...]


@dataclass(frozen=True, slots=True)
class CursorImage:
    """The cursor: 16 by 16 pixels as PNG, its hot spot, and whether it can be seen."""

    png: bytes
    h: int
    v: int
    visible: bool


@dataclass(frozen=True, slots=True)
class PlayMoment:
    """Where the program is.

    Attributes:
        look: how often it has looked for an event in vain.
        seconds: of its own time since it began.
        state: what it does.
        text: why it is stuck; "" if it is not.
        mouse: where it is on the screen, the horizontal number first; None if that is not known.
    """

    look: int
    seconds: float
    state: PlayState
    text: str = ""
    mouse: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class CallLines:
    """Lines of the log; ``dropped`` is how many came before them and are not shown."""

    lines: tuple[str, ...]
    dropped: int


@dataclass(frozen=True, slots=True)
class CallSum:
    """All calls up to a look: how many, a digest, and the last ones.

    It comes after the `ScreenFrame` of this look, so that what is on the screen can be compared.
    """

    moment: int
    count: int
    digest: str
    latest: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlayFinding:
    """A mistake of the program, its place, and the look after which it was found."""

    number: int
    check: str
    problem: str
    place: str
    moment: int


@dataclass(frozen=True, slots=True)
class WindowLine:
    """A window: its content on the screen as left, top, right, bottom."""

    title: str
    front: bool
    visible: bool
    bounds: tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class WindowPanel:
    """All windows, from the front."""

    items: tuple[WindowLine, ...]


@dataclass(frozen=True, slots=True)
class HeapPanel:
    """The program's heap, in bytes, and how many blocks are in use."""

    size: int
    used: int
    free: int
    largest: int
    blocks: int


@dataclass(frozen=True, slots=True)
class ResourceLine:
    """A resource that is in memory."""

    type: str
    id: int
    name: str
    size: int


@dataclass(frozen=True, slots=True)
class ResourcePanel:
    """Resources in memory; ``more`` is how many are not listed."""

    items: tuple[ResourceLine, ...]
    more: int


@dataclass(frozen=True, slots=True)
class SoundStart:
    """A sampled sound was played."""

    wav: bytes


@dataclass(frozen=True, slots=True)
class InputReceipt:
    """The program was given an input.

    Attributes:
        recorded: the input, and its look.
        number: how many inputs of the recording come before it.
        problem: why a file could not be put on the disk; "" if there is no problem.
    """

    recorded: RecordedInput
    number: int
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ForkReceipt:
    """The session has forgotten the recording after this look, and goes on with the person.

    Attributes:
        look: where it is.
        inputs: how many inputs of the recording it has been given by then.
    """

    look: int
    inputs: int


@dataclass(frozen=True, slots=True)
class PlayScript:
    """The recording as a script.

    Attributes:
        yaml: the script.
        pictures: those that it compares with, by their names.
        inputs: how many inputs it is made of.
        checkpoints: what the program had done by then.
        is_answer: whether the page has asked for it.
    """

    yaml: str
    pictures: tuple[tuple[str, bytes], ...] = ()
    inputs: int = 0
    checkpoints: tuple[Checkpoint, ...] = ()
    is_answer: bool = False


@dataclass(frozen=True, slots=True)
class PlayEnd:
    """The program has ended; why, if it could not go on, and the exit code of ``macproof run``."""

    problem: str
    code: int
