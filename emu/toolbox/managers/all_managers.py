"""The list of all managers."""

from __future__ import annotations

from typing import get_type_hints

from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.apple_events.data import AppleEventData
from emu.toolbox.managers.apple_events.documents import FinderDocuments
from emu.toolbox.managers.apple_events.handlers import AppleEventHandlers, AppleEventTables
from emu.toolbox.managers.apple_events.lists import AppleEventLists
from emu.toolbox.managers.apple_events.manager import AppleEventManager
from emu.toolbox.managers.apple_events.object_specifiers import ObjectSpecifiers
from emu.toolbox.managers.apple_events.object_support import ObjectSupport
from emu.toolbox.managers.c_library.descriptors import CFiles
from emu.toolbox.managers.c_library.pascal_strings import PascalStrings
from emu.toolbox.managers.c_library.routines import StandardC
from emu.toolbox.managers.c_library.sorting import CSorting
from emu.toolbox.managers.c_library.streams import CStreams
from emu.toolbox.managers.c_library.strings import CStrings
from emu.toolbox.managers.controls.definitions import ControlDefinitions
from emu.toolbox.managers.controls.existing_controls import ControlList
from emu.toolbox.managers.controls.manager import ControlManager
from emu.toolbox.managers.controls.popups import PopupControls
from emu.toolbox.managers.controls.system_definition import SystemControlDefinition
from emu.toolbox.managers.controls.tracking import ControlTracking
from emu.toolbox.managers.dialogs.alerts import AlertManager
from emu.toolbox.managers.dialogs.events import DialogEvents
from emu.toolbox.managers.dialogs.fields import DialogFields
from emu.toolbox.managers.dialogs.looks import DialogLooks
from emu.toolbox.managers.dialogs.manager import DialogManager
from emu.toolbox.managers.dialogs.open_dialogs import DialogList
from emu.toolbox.managers.events.accessories import Accessories
from emu.toolbox.managers.events.desk import DeskManager
from emu.toolbox.managers.events.drags import DragManager
from emu.toolbox.managers.events.layouts import KeyboardLayouts, KeyTranslators
from emu.toolbox.managers.events.manager import EventManager
from emu.toolbox.managers.events.tracking import WindowTracking
from emu.toolbox.managers.file_dialogs.custom_dialogs import CustomFileDialogs
from emu.toolbox.managers.file_dialogs.custom_looks import CustomDialogLooks
from emu.toolbox.managers.file_dialogs.played_dialogs import FileDialogs
from emu.toolbox.managers.file_dialogs.procedures import FileProcedureCalls
from emu.toolbox.managers.file_dialogs.standard_file import StandardFileManager
from emu.toolbox.managers.files.access import FileAccess
from emu.toolbox.managers.files.aliases import AliasManager
from emu.toolbox.managers.files.calls import FileCalls
from emu.toolbox.managers.files.catalog import FileCatalog, FileNumbers
from emu.toolbox.managers.files.desktop_database import DesktopManager
from emu.toolbox.managers.files.driver_files import DriverFiles
from emu.toolbox.managers.files.manager import FileManager
from emu.toolbox.managers.files.volume_calls import DiskInitialization, VolumeCalls
from emu.toolbox.managers.files.volumes import FileVolumes
from emu.toolbox.managers.hardware.devices import DeviceManager
from emu.toolbox.managers.hardware.gestalt import GestaltManager
from emu.toolbox.managers.hardware.hardware import HardwareManager, ScsiManager, SlotManager
from emu.toolbox.managers.hardware.low_memory_calls import LowMemoryCalls
from emu.toolbox.managers.hardware.power import PowerManager
from emu.toolbox.managers.hardware.program_drivers import ProgramDrivers
from emu.toolbox.managers.hardware.start_manager import StartManager
from emu.toolbox.managers.hardware.system_drivers import SystemDrivers
from emu.toolbox.managers.hardware.utilities import OsUtilitiesManager
from emu.toolbox.managers.hardware.virtual_memory import VirtualMemory
from emu.toolbox.managers.icons.color_icons import ColorIcons
from emu.toolbox.managers.icons.manager import IconUtilities
from emu.toolbox.managers.lists.cells import ListCells
from emu.toolbox.managers.lists.clicks import ListClicks
from emu.toolbox.managers.lists.drawing import Lists
from emu.toolbox.managers.lists.manager import ListManager
from emu.toolbox.managers.mathematics.decimal_text import DecimalRecords
from emu.toolbox.managers.mathematics.elementary import ElementaryFunctions
from emu.toolbox.managers.mathematics.mathlib import MathLibrary
from emu.toolbox.managers.mathematics.number_formats import FloatConversions, FloatInquiries
from emu.toolbox.managers.mathematics.numerics import NumericsManager
from emu.toolbox.managers.mathematics.utilities import (
    FixedAndExtended,
    MathematicalUtilities,
    PackingUtilities,
)
from emu.toolbox.managers.memory.copies import MemoryCopiesManager
from emu.toolbox.managers.memory.handles import MemoryHandles, MemoryPointers, MemoryStatesManager
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.memory.space import MemorySpaceManager
from emu.toolbox.managers.menus.choice import MenuChoice
from emu.toolbox.managers.menus.colors import MenuColors
from emu.toolbox.managers.menus.definitions import MenuDefinitions
from emu.toolbox.managers.menus.items import MenuItems
from emu.toolbox.managers.menus.manager import MenuManager
from emu.toolbox.managers.menus.standard import StandardMenus
from emu.toolbox.managers.networking.appletalk import AppleTalk
from emu.toolbox.managers.networking.mactcp import MacTcp
from emu.toolbox.managers.networking.open_transport.endpoint_options import EndpointOptions
from emu.toolbox.managers.networking.open_transport.endpoints import Endpoints
from emu.toolbox.managers.networking.open_transport.internet import InternetServices
from emu.toolbox.managers.networking.open_transport.lists import LinkedLists
from emu.toolbox.managers.networking.open_transport.names import NetworkNames
from emu.toolbox.managers.networking.open_transport.providers import Providers
from emu.toolbox.managers.networking.open_transport.utilities import OpenTransportUtilities
from emu.toolbox.managers.networking.serial_ports import SerialPorts
from emu.toolbox.managers.printing.manager import PrintingManager
from emu.toolbox.managers.printing.print_dialogs import PrintDialogs
from emu.toolbox.managers.printing.printer_types import PrinterTypes
from emu.toolbox.managers.processes.driver_resources import DriverResources
from emu.toolbox.managers.processes.fragment_calls import CodeFragmentManager
from emu.toolbox.managers.processes.fragments import Fragments
from emu.toolbox.managers.processes.mixed_mode import MixedModeManager
from emu.toolbox.managers.processes.object_methods import ObjectMethods
from emu.toolbox.managers.processes.processes import LaunchManager, ProcessManager, ProcessPorts
from emu.toolbox.managers.processes.segments import SegmentLoader
from emu.toolbox.managers.processes.thread_turns import ThreadTurns
from emu.toolbox.managers.processes.threads import ThreadManager
from emu.toolbox.managers.processes.traps import TrapManager
from emu.toolbox.managers.quickdraw.color.color_picker import ColorPicker
from emu.toolbox.managers.quickdraw.color.colors import Colors
from emu.toolbox.managers.quickdraw.color.cursor import CursorManager
from emu.toolbox.managers.quickdraw.color.devices import (
    DeviceLoopManager,
    GraphicsDevices,
    NewDevices,
)
from emu.toolbox.managers.quickdraw.color.displays import DisplayManager
from emu.toolbox.managers.quickdraw.color.gworlds import GraphicsWorlds
from emu.toolbox.managers.quickdraw.color.palette_entries import PaletteEntries
from emu.toolbox.managers.quickdraw.color.palettes import Palettes
from emu.toolbox.managers.quickdraw.color.pattern_calls import PatternCalls
from emu.toolbox.managers.quickdraw.color.ports import Ports, PortVariables
from emu.toolbox.managers.quickdraw.color.video_driver import VideoDriver
from emu.toolbox.managers.quickdraw.color.world_updates import WorldUpdates
from emu.toolbox.managers.quickdraw.drawing.bits import Bits
from emu.toolbox.managers.quickdraw.drawing.from_resources import GraphicResources
from emu.toolbox.managers.quickdraw.drawing.geometry import Geometry
from emu.toolbox.managers.quickdraw.drawing.pen import Pen
from emu.toolbox.managers.quickdraw.drawing.polygons import Polygons
from emu.toolbox.managers.quickdraw.drawing.regions import Regions
from emu.toolbox.managers.quickdraw.drawing.seed_fill import SeedFill
from emu.toolbox.managers.quickdraw.drawing.shapes import Shapes
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.heart.procedures import Procedures
from emu.toolbox.managers.quickdraw.pictures.information import PictureInformation
from emu.toolbox.managers.quickdraw.pictures.manager import ColorPictures, Pictures
from emu.toolbox.managers.quickdraw.pictures.player import PictureTools
from emu.toolbox.managers.quickdraw.ports.bit_maps import BitMaps
from emu.toolbox.managers.quickdraw.ports.font_resources import FontResources
from emu.toolbox.managers.quickdraw.ports.pixel_patterns import PixelPatterns
from emu.toolbox.managers.quickdraw.ports.port_patterns import PortPatterns, TransferTerms
from emu.toolbox.managers.quickdraw.ports.recorder import Recordings
from emu.toolbox.managers.quickdraw.ports.region_handles import RegionHandles
from emu.toolbox.managers.quickdraw.text.fonts import FontManager
from emu.toolbox.managers.quickdraw.text.text import TextDrawing
from emu.toolbox.managers.resources.changes import ResourceChangesManager
from emu.toolbox.managers.resources.code import DefinitionFunctions
from emu.toolbox.managers.resources.files import ResourceFilesManager
from emu.toolbox.managers.resources.load_vector import LoadVector
from emu.toolbox.managers.resources.manager import ResourceManager
from emu.toolbox.managers.resources.map_chain import MapChain
from emu.toolbox.managers.resources.searches import ResourceListing, ResourceSearches
from emu.toolbox.managers.resources.strings import StringResources
from emu.toolbox.managers.services.balloons import BalloonManager
from emu.toolbox.managers.services.communications import CommunicationsToolbox
from emu.toolbox.managers.services.components import CallsOfComponents, ComponentManager
from emu.toolbox.managers.services.folders import FolderManager
from emu.toolbox.managers.services.notifications import NotificationManager
from emu.toolbox.managers.services.text_services import TextServices
from emu.toolbox.managers.sound.manager import DoubleBuffers, SoundManager
from emu.toolbox.managers.sound.recording import SoundInput
from emu.toolbox.managers.text.clipboard import TextClipboard
from emu.toolbox.managers.text.edit import TextEditManager
from emu.toolbox.managers.text.editing import TextEditing
from emu.toolbox.managers.text.letters import Letters
from emu.toolbox.managers.text.packages import PackageManager
from emu.toolbox.managers.text.scrap import ScrapManager
from emu.toolbox.managers.text.script_drawing import ScriptDrawing
from emu.toolbox.managers.text.scripts import ScriptManager
from emu.toolbox.managers.text.strings import StringManager
from emu.toolbox.managers.text.styled_text import StyledText
from emu.toolbox.managers.time.dates import DateManager, DateStrings
from emu.toolbox.managers.time.deferred_tasks import DeferredTaskManager
from emu.toolbox.managers.time.tasks import RetraceManager, TimeManager
from emu.toolbox.managers.time.ticks import Ticks
from emu.toolbox.managers.windows.access import WindowAccess
from emu.toolbox.managers.windows.auxiliary import AuxiliaryRecords
from emu.toolbox.managers.windows.definitions import WindowDefinitions
from emu.toolbox.managers.windows.desktop import Desktop
from emu.toolbox.managers.windows.fields import WindowFields
from emu.toolbox.managers.windows.manager import WindowManager
from emu.toolbox.managers.windows.system_definition import SystemWindowDefinition
from emu.toolbox.managers.windows.updates import WindowUpdates


class Managers:
    """All managers, by the name under which a `Macintosh` has each.

    They are made and started in this order, so each stands after those that it uses.
    """

    memory: MemoryManager
    memory_handles: MemoryHandles
    memory_pointers: MemoryPointers
    memory_states: MemoryStatesManager
    memory_space: MemorySpaceManager
    memory_copies: MemoryCopiesManager
    resources: ResourceManager
    resource_searches: ResourceSearches
    resource_maps: MapChain
    load_vector: LoadVector
    resource_listing: ResourceListing
    resource_changes: ResourceChangesManager
    code_resources: DefinitionFunctions
    segments: SegmentLoader
    object_methods: ObjectMethods
    traps: TrapManager
    os_utilities: OsUtilitiesManager
    dates: DateManager
    strings: StringManager
    gestalt: GestaltManager
    time: TimeManager
    ticks: Ticks
    region_handles: RegionHandles
    bit_maps: BitMaps
    pixel_patterns: PixelPatterns
    font_resources: FontResources
    port_patterns: PortPatterns
    transfer_terms: TransferTerms
    quickdraw: QuickDraw
    quickdraw_recordings: Recordings
    quickdraw_ports: Ports
    quickdraw_geometry: Geometry
    quickdraw_procedures: Procedures
    quickdraw_pen: Pen
    quickdraw_regions: Regions
    quickdraw_polygons: Polygons
    quickdraw_shapes: Shapes
    fonts: FontManager
    quickdraw_text: TextDrawing
    quickdraw_devices: GraphicsDevices
    new_devices: NewDevices
    displays: DisplayManager
    quickdraw_colors: Colors
    port_variables: PortVariables
    quickdraw_bits: Bits
    device_loop: DeviceLoopManager
    palettes: Palettes
    palette_entries: PaletteEntries
    quickdraw_picture_tools: PictureTools
    quickdraw_pictures: Pictures
    color_pictures: ColorPictures
    picture_information: PictureInformation
    quickdraw_worlds: GraphicsWorlds
    world_updates: WorldUpdates
    quickdraw_seed_fill: SeedFill
    quickdraw_cursor: CursorManager
    quickdraw_resources: GraphicResources
    packing: PackingUtilities
    color_picker: ColorPicker
    window_definitions: WindowDefinitions
    pattern_calls: PatternCalls
    color_icons: ColorIcons
    icon_utilities: IconUtilities
    printing: PrintingManager
    printer_types: PrinterTypes
    windows: WindowAccess
    auxiliary_records: AuxiliaryRecords
    window_desktop: Desktop
    window_manager: WindowManager
    window_updates: WindowUpdates
    system_drivers: SystemDrivers
    serial_ports: SerialPorts
    video_driver: VideoDriver
    devices: DeviceManager
    program_drivers: ProgramDrivers
    driver_resources: DriverResources
    apple_talk: AppleTalk
    mac_tcp: MacTcp
    accessories: Accessories
    events: EventManager
    events_keyboard: KeyboardLayouts
    key_translators: KeyTranslators
    window_tracking: WindowTracking
    drags: DragManager
    menu_definitions: MenuDefinitions
    menu_colors: MenuColors
    menus: MenuManager
    menu_items: MenuItems
    menu_choice: MenuChoice
    standard_menus: StandardMenus
    control_definitions: ControlDefinitions
    popup_controls: PopupControls
    controls: ControlList
    system_control_definition: SystemControlDefinition
    control_manager: ControlManager
    control_tracking: ControlTracking
    files: FileManager
    resource_files: ResourceFilesManager
    fragments: Fragments
    code_fragments: CodeFragmentManager
    driver_files: DriverFiles
    file_access: FileAccess
    file_catalog: FileCatalog
    file_volumes: FileVolumes
    file_calls: FileCalls
    volume_calls: VolumeCalls
    finder_database: DesktopManager
    numbers_of_files: FileNumbers
    disk_initialization: DiskInitialization
    packages: PackageManager
    mathematics: MathematicalUtilities
    numerics: NumericsManager
    elementary_functions: ElementaryFunctions
    fixed_and_extended: FixedAndExtended
    decimal_records: DecimalRecords
    math_library: MathLibrary
    float_inquiries: FloatInquiries
    float_conversions: FloatConversions
    c_strings: CStrings
    pascal_strings: PascalStrings
    standard_c: StandardC
    c_sorting: CSorting
    c_files: CFiles
    c_streams: CStreams
    desk: DeskManager
    text_edit: TextEditing
    text_edit_manager: TextEditManager
    scrap: ScrapManager
    text_edit_clipboard: TextClipboard
    text_edit_styles: StyledText
    scripts: ScriptManager
    letters: Letters
    script_drawing: ScriptDrawing
    date_strings: DateStrings
    dialogs: DialogList
    dialog_looks: DialogLooks
    dialog_manager: DialogManager
    dialog_events: DialogEvents
    dialog_fields: DialogFields
    alerts: AlertManager
    print_dialogs: PrintDialogs
    file_procedures: FileProcedureCalls
    file_dialogs: FileDialogs
    custom_file_looks: CustomDialogLooks
    custom_file_dialogs: CustomFileDialogs
    standard_file: StandardFileManager
    lists: Lists
    list_manager: ListManager
    list_cells: ListCells
    list_clicks: ListClicks
    mixed_mode: MixedModeManager
    window_fields: WindowFields
    system_window_definition: SystemWindowDefinition
    string_resources: StringResources
    hardware: HardwareManager
    start_choices: StartManager
    virtual_memory: VirtualMemory
    sound: SoundManager
    double_buffers: DoubleBuffers
    sound_input: SoundInput
    low_memory_calls: LowMemoryCalls
    processes: ProcessManager
    process_ports: ProcessPorts
    launching: LaunchManager
    thread_turns: ThreadTurns
    threads: ThreadManager
    retrace: RetraceManager
    deferred_tasks: DeferredTaskManager
    network_providers: Providers
    network_endpoint_options: EndpointOptions
    network_endpoints: Endpoints
    internet_services: InternetServices
    network_names: NetworkNames
    open_transport_utilities: OpenTransportUtilities
    linked_lists: LinkedLists
    notifications: NotificationManager
    folders: FolderManager
    aliases: AliasManager
    balloons: BalloonManager
    text_services: TextServices
    communications: CommunicationsToolbox
    components: ComponentManager
    calls_of_components: CallsOfComponents
    scsi: ScsiManager
    power: PowerManager
    slots: SlotManager
    apple_event_data: AppleEventData
    apple_event_lists: AppleEventLists
    apple_event_handlers: AppleEventHandlers
    apple_event_objects: ObjectSupport
    apple_event_specifiers: ObjectSpecifiers
    apple_events: AppleEventManager
    documents: FinderDocuments
    apple_event_tables: AppleEventTables


MANAGERS: dict[str, type[Manager]] = get_type_hints(Managers)
"""The managers' classes by name."""
