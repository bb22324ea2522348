"""The managers, one module each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emu.toolbox.manager import Manager
from emu.toolbox.managers.alerts import AlertManager
from emu.toolbox.managers.control_tracking import ControlTracking
from emu.toolbox.managers.controls import ControlManager
from emu.toolbox.managers.dates import DateManager
from emu.toolbox.managers.desk import DeskManager
from emu.toolbox.managers.dialog_events import DialogEvents
from emu.toolbox.managers.dialog_fields import DialogFields
from emu.toolbox.managers.dialogs import DialogManager
from emu.toolbox.managers.events import EventManager
from emu.toolbox.managers.file_access import FileAccess
from emu.toolbox.managers.file_calls import FileCalls
from emu.toolbox.managers.file_catalog import FileCatalog
from emu.toolbox.managers.file_volumes import FileVolumes
from emu.toolbox.managers.files import FileManager
from emu.toolbox.managers.fonts import FontManager
from emu.toolbox.managers.gestalt import GestaltManager
from emu.toolbox.managers.mathematics import MathematicalUtilities
from emu.toolbox.managers.memory import MemoryManager
from emu.toolbox.managers.memory_copies import MemoryCopiesManager
from emu.toolbox.managers.memory_space import MemorySpaceManager
from emu.toolbox.managers.memory_states import MemoryStatesManager
from emu.toolbox.managers.menu_choice import MenuChoice
from emu.toolbox.managers.menu_items import MenuItems
from emu.toolbox.managers.menus import MenuManager
from emu.toolbox.managers.mixed_mode import MixedModeManager
from emu.toolbox.managers.numerics import NumericsManager
from emu.toolbox.managers.os_utilities import OsUtilitiesManager
from emu.toolbox.managers.packages import PackageManager
from emu.toolbox.managers.quickdraw import QUICKDRAW_MANAGERS
from emu.toolbox.managers.resource_changes import ResourceChangesManager
from emu.toolbox.managers.resource_files import ResourceFilesManager
from emu.toolbox.managers.resources import ResourceManager
from emu.toolbox.managers.scrap import ScrapManager
from emu.toolbox.managers.segments import SegmentLoader
from emu.toolbox.managers.standard_c import StandardC
from emu.toolbox.managers.standard_file import StandardFileManager
from emu.toolbox.managers.strings import StringManager
from emu.toolbox.managers.text_edit import TextEditManager
from emu.toolbox.managers.time import TimeManager
from emu.toolbox.managers.traps import TrapManager
from emu.toolbox.managers.volume_calls import VolumeCalls
from emu.toolbox.managers.window_fields import WindowFields
from emu.toolbox.managers.window_tracking import WindowTracking
from emu.toolbox.managers.window_updates import WindowUpdates
from emu.toolbox.managers.windows import WindowManager

if TYPE_CHECKING:
    from emu.toolbox.macintosh import Macintosh

MANAGERS: dict[str, type[Manager]] = {
    "memory": MemoryManager,
    "memory_states": MemoryStatesManager,
    "memory_space": MemorySpaceManager,
    "memory_copies": MemoryCopiesManager,
    "resources": ResourceManager,
    "resource_changes": ResourceChangesManager,
    "segments": SegmentLoader,
    "traps": TrapManager,
    "os_utilities": OsUtilitiesManager,
    "dates": DateManager,
    "strings": StringManager,
    "gestalt": GestaltManager,
    "time": TimeManager,
    "events": EventManager,
    **QUICKDRAW_MANAGERS,
    "fonts": FontManager,
    "windows": WindowManager,
    "window_updates": WindowUpdates,
    "window_tracking": WindowTracking,
    "controls": ControlManager,
    "control_tracking": ControlTracking,
    "files": FileManager,
    "resource_files": ResourceFilesManager,
    "file_access": FileAccess,
    "file_catalog": FileCatalog,
    "file_volumes": FileVolumes,
    "file_calls": FileCalls,
    "volume_calls": VolumeCalls,
    "standard_file": StandardFileManager,
    "packages": PackageManager,
    "mathematics": MathematicalUtilities,
    "numerics": NumericsManager,
    "standard_c": StandardC,
    "menus": MenuManager,
    "menu_items": MenuItems,
    "desk": DeskManager,
    "text_edit": TextEditManager,
    "scrap": ScrapManager,
    "dialogs": DialogManager,
    "dialog_events": DialogEvents,
    "dialog_fields": DialogFields,
    "alerts": AlertManager,
    "mixed_mode": MixedModeManager,
    "window_fields": WindowFields,
    "menu_choice": MenuChoice,
}
"""By the name under which a Macintosh has each; they start in this order."""


def make_managers(mac: Macintosh) -> dict[str, Manager]:
    """All of them, not yet started."""
    return {name: manager(mac) for name, manager in MANAGERS.items()}
