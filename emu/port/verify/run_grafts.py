"""The new functions of a port, linked for each way in which runs have loaded the program."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from emu.base.errors import CompileError, ProgramError
from emu.port.graft.graft import Graft, build_graft
from emu.port.recording.store import RecordedRun
from emu.port.replay.replayer import Replayer
from emu.port.verify.build import PortBuild
from emu.port.verify.run_places import RunPlaces
from emu.toolbox.guest.layout import GRAFTS


class RunGrafts:
    """Links new functions, and puts them into the memory of a replayer.

    Args:
        port: the port, compiled.
        replayer: where calls are made.
        runs: the recorded runs.
        places: gives the places of a recorded run, by the digest of its script.
        together: whether what new functions call is new, too; else it is old.

    Attributes:
        unlinked: why a function cannot be linked, by its name.
    """

    def __init__(
        self,
        port: PortBuild,
        replayer: Replayer,
        runs: Sequence[RecordedRun],
        places: Callable[[str], RunPlaces],
        *,
        together: bool,
    ) -> None:
        self.unlinked: dict[str, str] = {}
        self._port, self._replayer, self._places = port, replayer, places
        self._together = together
        self._layouts = {run.script: json.dumps(run.places) for run in runs}
        self._grafts: dict[tuple[str, tuple[str, ...]], Graft | None] = {}
        self._current: tuple[str, tuple[str, ...]] | None = None

    def graft(self, script: str, names: Sequence[str]) -> Graft | None:
        """Functions, linked for a recorded run, and in memory; None if none can be linked.

        Those that cannot be are left out.
        """
        key = self._layouts.get(script, ""), tuple(names)
        if key not in self._grafts:
            graft = self._attempt(script, names)
            if graft is None and (rest := self._linkable(script, names)):
                graft = self._linked(script, rest)
            self._grafts[key] = graft
        graft = self._grafts[key]
        if graft is not None and self._current != key:
            self._replayer.put_graft(graft.address, graft.image)
            self._current = key
        return graft

    def _linked(self, script: str, names: Sequence[str]) -> Graft:
        return build_graft(
            self._port.project,
            self._port.claims,
            self._port.objects,
            self._places(script).address_of,
            GRAFTS.address,
            names,
            together=self._together,
            pointer_to=self._replayer.session.pointer_to,
        )

    def _attempt(self, script: str, names: Sequence[str]) -> Graft | None:
        """Functions, linked; None if that fails, and why is kept if it is one alone."""
        try:
            return self._linked(script, names)
        except (ProgramError, CompileError) as error:
            if len(names) == 1:
                self.unlinked[names[0]] = str(error)
            return None

    def _linkable(self, script: str, names: Sequence[str]) -> list[str]:
        """Those that can be linked of functions that cannot all be.

        One without a place for a global says why, alone.
        """
        if len(names) <= 1:
            return []
        half = len(names) // 2
        found: list[str] = []
        for part in (names[:half], names[half:]):
            is_linked = self._attempt(script, part) is not None
            found += part if is_linked else self._linkable(script, part)
        return found
