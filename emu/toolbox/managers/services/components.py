"""The Component Manager: it is there, and no component is installed.

Components come with extensions such as QuickTime and Internet Config, of which this System has
none. A program that looks for one finds nothing and does without. A program that registers a
component of its own stops there.
Source: Inside Macintosh: More Macintosh Toolbox, chapter 6 "Component Manager".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.records.results import ResultCode

_BAD_INSTANCE = -0x7FFF7FFF
"""badComponentInstance, $80008001 as a LONGINT."""

_Method = TypeVar("_Method", bound=Callable[..., Any])


def _component(heading: str, selector: int) -> Callable[[_Method], _Method]:
    """Declare a routine of ComponentDispatch."""
    return routine(heading, trap=0xA82A, selector=("D0", selector))


class ComponentManager(Manager):
    """Looks for components among none, and registers none."""

    @_component("FUNCTION CountComponents (looking: Ptr): LONGINT", 3)
    def count(self, looking: int) -> int:
        """How many components fit a description: none."""
        return 0

    @_component("FUNCTION FindNextComponent (aComponent: Ptr; looking: Ptr): Ptr", 4)
    def find_next(self, component: int, looking: int) -> int:
        """The component after another one that fits a description: nil, there is none."""
        return 0

    @_component(
        "FUNCTION GetComponentInfo (aComponent: Ptr; cd: Ptr; componentName: Handle; "
        "componentInfo: Handle; componentIcon: Handle): OSErr",
        5,
    )
    def information(self, component: int, description: int, name: int, info: int, icon: int) -> int:
        """Describe a component: there is none with this number."""
        return ResultCode.invalidComponentID

    @_component("FUNCTION GetComponentListModSeed: LONGINT", 6)
    def list_seed(self) -> int:
        """A number that changes when components come and go: it stays the same."""
        return 1

    @_component("FUNCTION OpenComponent (aComponent: Ptr): Ptr", 7)
    def open(self, component: int) -> int:
        """A connection to a component: nil, there is none."""
        return 0

    @_component("FUNCTION CloseComponent (aComponentInstance: Ptr): OSErr", 8)
    def close(self, instance: int) -> int:
        """End a connection: there is none."""
        return ResultCode.invalidComponentID

    @_component("FUNCTION GetComponentInstanceError (aComponentInstance: Ptr): OSErr", 10)
    def instance_error(self, instance: int) -> int:
        """What went wrong last in a connection: there is none."""
        return ResultCode.invalidComponentID

    @_component("FUNCTION CountComponentInstances (aComponent: Ptr): LONGINT", 19)
    def count_instances(self, component: int) -> int:
        """How many connections there are to a component: none."""
        return 0

    @_component(
        "FUNCTION OpenDefaultComponent (componentType: OSType; componentSubType: OSType): Ptr", 33
    )
    def open_default(self, kind: str, subkind: str) -> int:
        """A connection to the first component of a kind: nil, there is none."""
        return 0

    @_component(
        "FUNCTION RegisterComponentResourceFile (resRefNum: INTEGER; global: INTEGER): LONGINT",
        20,
    )
    def register_file(self, file: int, everywhere: int) -> int:
        """Register all components in a resource file; how many: none can be here."""
        return 0

    @_component("FUNCTION UnregisterComponent (aComponent: Ptr): OSErr", 2)
    @_component("FUNCTION UncaptureComponent (aComponent: Ptr): OSErr", 29)
    def unregister(self, component: int) -> int:
        """Take a component away: there is none with this number."""
        return ResultCode.invalidComponentID

    @_component("FUNCTION SetDefaultComponent (aComponent: Ptr; flags: INTEGER): OSErr", 30)
    def set_default(self, component: int, flags: int) -> int:
        """Have a component found first: there is none with this number."""
        return ResultCode.invalidComponentID

    @_component("FUNCTION GetComponentRefcon (aComponent: Ptr): LONGINT", 16)
    def reference_constant(self, component: int) -> int:
        """What a component keeps for itself: 0, there is none with this number."""
        return 0


class CallsOfComponents(Manager):
    """What the glue for a component's own routines calls; Components.h does not name it."""

    @routine(
        "PROCEDURE ComponentCall",
        trap=0xA82A,
        selector=("D0", 0),
        registers="->",
        architecture="m68k",
    )
    def call_from_stack(self) -> None:
        """Call a component: there is none, whatever instance the program has.

        On the stack are the size of the parameters and the routine's number, as words, then the
        parameters, the instance, and room for the result. Internet Config's glue makes such calls
        with the nil that OpenDefaultComponent has given.
        """
        registers, pointer = self.host.engine.registers, self.host.engine.index["a7"]
        size = self.guest.u16(registers[pointer])
        registers[pointer] += 4 + size + 4
        self.guest.put32(registers[pointer], _BAD_INSTANCE)

    @routine("FUNCTION CallComponent (parameters: Ptr): LONGINT", architecture="powerpc")
    def call(self, parameters: int) -> int:
        """What CallComponentUPP of Components.h leads to: a call of a component, by its instance.

        InterfaceLib exports that variable, and every program with the glue for one component
        imports it. No instance of any component can be right.
        """
        return _BAD_INSTANCE

    @routine("FUNCTION GetComponentVersion (instance: Ptr): LONGINT", architecture="powerpc")
    def version(self, instance: int) -> int:
        """The version of a component, by its instance: none can be right."""
        return _BAD_INSTANCE
