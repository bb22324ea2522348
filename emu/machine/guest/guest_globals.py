"""Globals of the guest program as NumPy views, by the names in its source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from numpy.typing import NDArray

from emu.base.errors import ProgramError
from emu.machine.guest.typed_views import view_of
from emu.machine.memory.memory import GuestMemory
from emu.program import Program


class GuestGlobals(Mapping[str, NDArray[Any]]):
    """``machine.globals["gObjects"]["x"][3] = 5`` stores into guest memory.

    Every value is a view in the guest's byte order. The view of an array variable has the array's
    dimensions; the view of any other variable has shape (), and ``[...] = 5`` sets it. An unknown
    name raises `ProgramError`. A bit-field is read as a copy, and written by
    ``machine.globals["gFlags"]["ready"] = 1``.

    Args:
        program: the program.
        memory: guest memory.

    Example:
        >>> program = macproof.read_program("mac_src/prebuilt/four-shifts-601-O0.elf")
        >>> found = macproof.Machine(program, "601").globals
        >>> found["gObjects"]["x"][:2] = [100, 129]
        >>> "gObjects" in found, found["gObjects"].shape, found["gObjects"]["x"][:3].tolist()
        (True, (200,), [100, 129, 0])
    """

    def __init__(self, program: Program, memory: GuestMemory) -> None:
        self._program = program
        self._memory = memory

    def __getitem__(self, name: str) -> NDArray[Any]:
        variable = self._program.variable(name)
        data = self._memory.view(variable.address, variable.type.size)
        return view_of(variable.type, data)

    def __contains__(self, name: object) -> bool:
        return name in self._program.variables

    def __iter__(self) -> Iterator[str]:
        return iter(self._program.variables)

    def __len__(self) -> int:
        return len(self._program.variables)

    def address_of(self, name: str, index: int) -> int:
        """The guest address of an element of an array variable.

        Raises:
            ProgramError: the array has no such element.

        Example:
            >>> program = macproof.read_program("mac_src/prebuilt/four-shifts-601-O0.elf")
            >>> found = macproof.Machine(program, "601").globals
            >>> found.address_of("gObjects", 2) - found.address_of("gObjects", 0)
            32
        """
        variable = self._program.variable(name)
        count = variable.type.size // variable.type.dtype.itemsize
        if not 0 <= index < count:
            raise ProgramError(self._program.path, f"{name} has {count} elements, not {index + 1}")
        return variable.address + index * variable.type.dtype.itemsize

    def index_of(self, name: str, address: int) -> int:
        """The index of the array variable's element at an address; -1 for the null pointer.

        Raises:
            ProgramError: the address is neither null nor the beginning of an element.

        Example:
            >>> program = macproof.read_program("mac_src/prebuilt/four-shifts-601-O0.elf")
            >>> found = macproof.Machine(program, "601").globals
            >>> found.index_of("gObjects", found.address_of("gObjects", 2))
            2
        """
        if address == 0:
            return -1
        variable = self._program.variable(name)
        offset = address - variable.address
        size = variable.type.dtype.itemsize
        if offset % size or not 0 <= offset < variable.type.size:
            raise ProgramError(
                self._program.path, f"0x{address:08x} points at no element of {name}"
            )
        return offset // size
