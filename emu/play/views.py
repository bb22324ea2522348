"""What sessions say, as the page's text frames."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence

from emu.play.messages import (
    CallLines,
    CursorImage,
    HeapPanel,
    PlayFinding,
    PlayMoment,
    PlayScript,
    PlayStart,
    ResourcePanel,
    SoundStart,
    WindowPanel,
)
from emu.play.protocol import statement
from emu.toolbox.users.events_file import Recording, events_text
from emu.toolbox.users.inputs import FileDrop

LASTING = (CursorImage, WindowPanel, HeapPanel, ResourcePanel)
"""What is so until something else is said; a page that is opened has to know it."""


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def hello(started: PlayStart, screens: int) -> str:
    """``hello``."""
    return statement(
        "hello",
        title=started.title,
        width=started.width,
        height=started.height,
        machine=started.machine,
        cpu=started.cpu,
        screens=screens,
    )


def moment(reached: PlayMoment, last: int) -> str:
    """``moment``."""
    return statement(
        "moment",
        now=reached.look,
        last=last,
        seconds=round(reached.seconds, 3),
        state=reached.state,
        text=reached.text,
        mouse=reached.mouse,
    )


def findings(found: Iterable[PlayFinding]) -> str:
    """``findings``."""
    return statement(
        "findings",
        items=[
            {
                "n": each.number,
                "check": each.check,
                "problem": each.problem,
                "place": each.place,
                "moment": each.moment,
            }
            for each in found
        ],
    )


def step(script: PlayScript) -> str:
    """``step``."""
    return statement("step", yaml=script.yaml)


def script(grown: PlayScript, recording: Recording) -> str:
    """``script``."""
    return statement(
        "script",
        yaml=grown.yaml,
        events=events_text(recording),
        pictures={name: _base64(png) for name, png in grown.pictures},
    )


def file(dropped: FileDrop, problem: str) -> str:
    """``file``."""
    return statement("file", name=dropped.name, problem=problem)


def ended(problem: str, code: int) -> str:
    """``ended``."""
    return statement("ended", problem=problem, code=code)


def difference(what: str, rectangles: Sequence[tuple[int, int, int, int]]) -> str:
    """``difference``."""
    return statement("difference", what=what, rectangles=rectangles)


def other(message: object) -> str | None:
    """What is told as it comes; None if the page is not told of it."""
    match message:
        case CursorImage(png, h, v, visible):
            return statement("cursor", png=_base64(png), h=h, v=v, visible=visible)
        case CallLines(lines, dropped):
            return statement("calls", lines=lines, dropped=dropped)
        case SoundStart(wav):
            return statement("sound", wav=_base64(wav))
        case WindowPanel(items):
            return statement(
                "windows",
                items=[
                    {"title": w.title, "front": w.front, "visible": w.visible, "bounds": w.bounds}
                    for w in items
                ],
            )
        case HeapPanel(size, used, free, largest, blocks):
            return statement(
                "heap", size=size, used=used, free=free, largest=largest, blocks=blocks
            )
        case ResourcePanel(items, more):
            return statement(
                "resources",
                items=[{"type": r.type, "id": r.id, "name": r.name, "size": r.size} for r in items],
                more=more,
            )
    return None
