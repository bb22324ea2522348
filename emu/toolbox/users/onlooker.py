"""What a user looks at: texts that should be there, and pictures that are taken or compared."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from emu.base.errors import CaseError
from emu.base.files import read_at_most
from emu.toolbox.guest.findings import ProgramExit
from emu.toolbox.users.script import Script, action_of

if TYPE_CHECKING:
    from emu.toolbox.macintosh import Macintosh

_LARGEST_PICTURE = 64 << 20

OBSERVATIONS = ("wait", "picture", "screen_picture", "compare", "end")
"""Steps that leave the Macintosh as it is."""


class Onlooker:
    """Does the steps of a script that only look at the Macintosh."""

    def __init__(self, mac: Macintosh, script: Script) -> None:
        self._mac = mac
        self._script = script

    def observe(self, number: int) -> bool:
        """Do a step of `OBSERVATIONS`, counted from 0; False if it waits for a text in vain.

        Raises:
            ScriptError: a picture differs.
            CaseError: there is no such picture to compare with.
            ProgramExit: the script ends the run here.
        """
        step, mac = self._script.steps[number], self._mac
        match action_of(step):
            case "picture":
                mac.outputs.keep_picture(step["picture"], front_picture(mac))
            case "screen_picture":
                mac.outputs.keep_picture(step["screen_picture"], mac.windows.screen_picture())
            case "compare":
                self._compare(number, self._script.path.parent / step["compare"])
            case "end":
                mac.host.is_cut_short = True
                raise ProgramExit
            case "wait" if "text" in step["wait"]:
                return step["wait"]["text"] in mac.text_so_far()
        return True

    def _compare(self, number: int, path: Path) -> None:
        wanted = _pixels(read_at_most(path, _LARGEST_PICTURE, "a picture"), path)
        png = front_picture(self._mac)
        got = _pixels(png, path)
        if wanted.shape != got.shape:
            raise self._script.step_error(
                number,
                f"the picture is {got.shape[1]}x{got.shape[0]} pixels and {path.name} "
                f"{wanted.shape[1]}x{wanted.shape[0]}",
            )
        different = (wanted != got).any(axis=2)
        if different.any():
            v, h = np.argwhere(different)[0]
            self._mac.outputs.keep_picture(f"{path.stem}-differs", png)
            raise self._script.step_error(
                number,
                f"{np.count_nonzero(different)} pixels differ from {path.name}, "
                f"the first at ({h},{v})",
            )


def front_picture(mac: Macintosh) -> bytes:
    """The front window as PNG, or the screen if there is none."""
    front = mac.windows.front()
    png: bytes = mac.windows.picture(front) if front else mac.windows.screen_picture()
    return png


def _pixels(png: bytes, path: Path) -> np.ndarray[Any, np.dtype[np.uint8]]:
    from PIL import Image  # takes 10 ms, and few scripts compare pictures

    try:
        with Image.open(io.BytesIO(png)) as image:
            return np.asarray(image.convert("RGB"), dtype=np.uint8)
    except (OSError, ValueError, Image.DecompressionBombError) as error:
        raise CaseError(path, f"it is no picture: {error}") from error
