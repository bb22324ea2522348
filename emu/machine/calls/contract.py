"""The contract of a call: what a routine must preserve, and how that is checked.

Everything is checked in the *frame*, the top of the stack region. It holds the caller's own stack
frame, the register file that the gate loads before a call, the register file that it stores after
the call, and the word that it sets last. The frame is copied after each call, so that the frames of
thousands of calls are checked by a few NumPy operations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import UsageError
from emu.base.masks import Mask
from emu.machine.abi.base import CallingConvention, CallPlaces
from emu.machine.abi.call_form import Piece, ValueForm
from emu.machine.abi.call_site import CallSite
from emu.machine.cpu import Cpu
from emu.machine.memory import layout
from emu.machine.memory.surroundings import Surroundings
from emu.program import Field

_FRAMES_KEPT = 64


class CallFrame:
    """The frame of a processor and calling convention at its place in guest memory.

    ``held`` are registers with the values that they must have at the beginning and at the end of
    every call, such as A5 of a Macintosh application.

    Raises:
        UsageError: the convention has no such register.
    """

    def __init__(
        self,
        cpu: Cpu,
        convention: CallingConvention,
        address: int,
        held: Mapping[str, int] | None = None,
    ) -> None:
        self.address = address
        self._held = dict(held or {})
        self._cpu = cpu
        self._convention = convention
        self._registers = convention.registers(cpu)
        self._preserved = convention.preserved_mask(cpu).copy()
        fields = self._registers.fields
        places: Mapping[str, Any] = {} if fields is None else fields
        for name in self._held:
            if name not in places or places[name][0].kind != "u":
                raise UsageError(f"{convention.name} has no register {name} to be held")
            kind, offset = places[name][:2]
            self._preserved[offset : offset + kind.itemsize] = 0xFF
        self._known: dict[Surroundings, NDArray[np.uint8]] = {}
        self._exit_file = slice(
            layout.EXIT_FILE_OFFSET, layout.EXIT_FILE_OFFSET + self._registers.itemsize
        )
        self._entry_file = slice(
            layout.ENTRY_FILE_OFFSET, layout.ENTRY_FILE_OFFSET + self._registers.itemsize
        )

    def places(self, routine: int, code: int, sentinel: int) -> CallPlaces:
        """The addresses for a gate to a routine."""
        return CallPlaces(
            routine=routine,
            code=code,
            sentinel=sentinel,
            stack_pointer=self.address,
            entry_registers=self.address + layout.ENTRY_FILE_OFFSET,
            exit_registers=self.address + layout.EXIT_FILE_OFFSET,
            done=self.address + layout.DONE_OFFSET,
            done_value=layout.DONE,
        )

    def before_calls(
        self, site: CallSite, records: NDArray[np.uint8], surroundings: Sequence[Surroundings]
    ) -> NDArray[np.uint8]:
        """The frames that calls in some surroundings begin with, shape (calls, frame size).

        Args:
            site: what is called.
            records: (calls, size of its record) uint8, the arguments of each call.
            surroundings: what each call finds on the stack and in registers.

        Raises:
            UsageError: the arguments are longer than the caller's frame has room for.
        """
        if site.form.stack_bytes > layout.CALLER_FRAME:
            raise UsageError(
                f"the arguments take {site.form.stack_bytes} bytes of the stack; a call can have "
                f"{layout.CALLER_FRAME}"
            )
        alike = [surrounding.contents for surrounding in surroundings]
        numbers = {around: number for number, around in enumerate(dict.fromkeys(alike))}
        frames = np.empty((len(numbers), layout.FRAME_SIZE), dtype=np.uint8)
        for surrounding, number in numbers.items():
            frames[number] = self._before_call(surrounding)
        all_frames = frames[[numbers[around] for around in alike]]
        for name, mask, bits in site.form.forced:
            place = self._place(Piece(0, 4, 0, name), self._entry_file)
            words = np.ascontiguousarray(all_frames[:, place]).view(">u4")
            all_frames[:, place] = ((words & ~np.uint32(mask)) | bits).astype(">u4").view(np.uint8)
        for passing, field in site.arguments:
            self._pass(all_frames, passing, field, site, records)
        if site.form.result is not None and site.form.result.by_address and site.result is not None:
            self._pass(all_frames, site.form.result, site.result, site, records)
        return all_frames

    def _pass(
        self,
        frames: NDArray[np.uint8],
        passing: ValueForm,
        field: Field,
        site: CallSite,
        records: NDArray[np.uint8],
    ) -> None:
        """Put one argument of all calls, or its address, into their frames."""
        if passing.by_address:
            values = np.full(len(frames), site.address + field.offset, dtype=">u4")
        else:
            part = np.ascontiguousarray(records[:, field.offset : field.offset + field.type.size])
            values = part.view(field.type.dtype)[:, 0]
        data = passing.encode(values)
        for piece in passing.pieces:
            frames[:, self._place(piece, self._entry_file)] = data[
                :, piece.start : piece.start + piece.size
            ]

    def _place(self, piece: Piece, file: slice) -> slice:
        """Where the bytes of a piece lie in a frame; ``file`` is one of the register files."""
        start = piece.at
        if piece.register:
            fields: Mapping[str, Any] = self._registers.fields or {}
            start += file.start + int(fields[piece.register][1])
        return slice(start, start + piece.size)

    def _before_call(self, surroundings: Surroundings) -> NDArray[np.uint8]:
        # Scenes share a few surroundings, and the frame depends on nothing else.
        cached = self._known.get(surroundings)
        if cached is not None:
            return cached
        frame = np.zeros(layout.FRAME_SIZE, dtype=np.uint8)
        caller = frame[: layout.CALLER_FRAME]
        caller[:] = surroundings.stack[-layout.FRAME_SIZE :][: layout.CALLER_FRAME]
        entry = self._convention.entry_values(self._cpu, self.address, surroundings.words)
        for name, value in self._held.items():
            entry[name] = value
        frame[self._entry_file] = np.frombuffer(entry.tobytes(), dtype=np.uint8)
        if len(self._known) >= _FRAMES_KEPT:
            self._known.clear()
        self._known[surroundings] = frame
        return frame

    def returned(self, frames: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Which calls returned and reached the end of the gate; ``frames`` (calls, frame size)."""
        done = np.ascontiguousarray(frames[:, layout.DONE_OFFSET : layout.DONE_OFFSET + 4])
        return np.asarray(done.view(">u4")[:, 0] == layout.DONE)

    def results(self, frames: NDArray[np.uint8], site: CallSite) -> NDArray[np.uint8] | None:
        """The results of calls as memory would hold them, shape (calls, size of the result).

        None if there is no result, or if it lies in memory already.
        """
        passing, field = site.form.result, site.result
        if passing is None or field is None or passing.by_address:
            return None
        pieces = [frames[:, self._place(piece, self._exit_file)] for piece in passing.pieces]
        return passing.decode(np.hstack(pieces), field.type)

    def expected_frames(
        self, before: NDArray[np.uint8], site: CallSite, results: NDArray[Any] | None = None
    ) -> NDArray[np.uint8]:
        """The frames after calls that changed no register but those of their results.

        Args:
            before: (calls, frame size), the frames that the calls began with.
            site: what was called.
            results: what each returned, of the result's dtype; None leaves registers as they were.
        """
        frames = before.copy()
        frames[:, self._exit_file] = before[:, self._entry_file]
        pointer = self._place(Piece(0, 4, 0, self._cpu.stack_pointer), self._exit_file)
        frames[:, pointer] = np.frombuffer(
            (self.address + site.form.popped).to_bytes(4, "big"), np.uint8
        )
        frames[:, layout.DONE_OFFSET :] = np.frombuffer(layout.DONE.to_bytes(4, "big"), np.uint8)
        if results is not None and site.form.result is not None:
            data = site.form.result.encode(results)
            for piece in site.form.result.pieces:
                part = data[:, piece.start : piece.start + piece.size]
                frames[:, self._place(piece, self._exit_file)] = part
        return frames

    def violations(
        self, frames: NDArray[np.uint8], before: NDArray[np.uint8], site: CallSite
    ) -> dict[int, tuple[str, ...]]:
        """Sentences about broken rules, by index of the call.

        Args:
            frames: (calls, frame size), the frames after calls that returned.
            before: (calls, frame size), the frames that the calls began with.
            site: what was called.
        """
        expected = self.expected_frames(before, site)
        mask = np.full(layout.FRAME_SIZE, 0xFF, dtype=np.uint8)
        mask[: site.form.stack_bytes] = 0
        mask[self._exit_file] = self._preserved
        rows = np.flatnonzero(Mask(mask).differing(frames, expected))
        broken = (frames[rows] ^ expected[rows]) & mask
        return {
            int(row): self._sentences(frames[row], expected[row], wrong)
            for row, wrong in zip(rows, broken, strict=True)
        }

    def _exit_registers(self, frame: NDArray[np.uint8]) -> np.void:
        data = frame[self._exit_file].tobytes()
        return np.void(np.frombuffer(data, dtype=self._registers)[0])

    def _sentences(
        self, frame: NDArray[np.uint8], expected: NDArray[np.uint8], broken: NDArray[np.uint8]
    ) -> tuple[str, ...]:
        sentences = []
        above = np.flatnonzero(broken[: layout.EXIT_FILE_OFFSET])
        if len(above):
            sentences.append(
                f"it wrote {len(above)} bytes above its own stack frame, the first at "
                f"{above[0]} bytes above the stack pointer it was called with"
            )
        beyond = broken[self._exit_file.stop :]
        if beyond.any():
            sentences.append(f"it wrote {np.count_nonzero(beyond)} bytes above its caller's frame")
        got, wanted = self._exit_registers(frame), self._exit_registers(expected)
        file = broken[self._exit_file]
        state = {register.name: register for register in self._cpu.state}
        for name, field in (self._registers.fields or {}).items():
            kind, offset = field[:2]
            if not file[offset : offset + kind.itemsize].any():
                continue
            if name in state:
                sentences += [
                    f"the {part.name} was {part.describe(int(wanted[name]))} "
                    f"and came back as {part.describe(int(got[name]))}"
                    for part in state[name].fields
                    if (int(got[name]) ^ int(wanted[name])) & part.mask
                ]
            elif name == self._cpu.stack_pointer:
                sentences.append(
                    f"the stack pointer came back {int(got[name]) - int(wanted[name]):+d} bytes off"
                )
            elif kind.kind == "u":
                sentences.append(
                    f"register {name} was 0x{int(wanted[name]):08x} "
                    f"and came back as 0x{int(got[name]):08x}"
                )
            else:
                sentences.append(f"floating-point register {name} was not restored")
        return tuple(sentences)
