"""What a file dialog has on its screen: a folder's contents, and what is chosen of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from emu.toolbox.managers.files.nodes import File, Folder, Node, folded

LONGEST_NAME = 31
_INVISIBLE = 0x4000
"""The flag of fdFlags by which a file or folder is not shown."""
_FLAGS = slice(8, 10)
_NONE = -1


@dataclass(frozen=True, slots=True)
class FileWish:
    """What a program asks for.

    Attributes:
        prompt: what it says beside the name of a file to be saved; MacRoman.
        name: the name that it proposes for a file to be saved; None to open one.
        types: those of files that can be opened; all if empty.
        own_dialog: the ID of the program's own dialog for this; 0 if it is the System's.
    """

    prompt: bytes = b""
    name: bytes | None = None
    types: tuple[bytes, ...] = ()
    own_dialog: int = 0

    @property
    def is_saving(self) -> bool:
        """Whether the file is to be saved."""
        return self.name is not None


class FileList:
    """The files and folders of a folder, in their order.

    Args:
        wish: what the program asks for.
        folder: the one to begin with.
        rows: how many of them are seen at a time.
        type_of: gives a file's type.
        hides: whether the program leaves a file or folder out.

    Attributes:
        wish: as above.
        rows: as above.
        folder: the one that is shown.
        nodes: what is in it.
        selected: the place in ``nodes`` of the one that is selected; -1 for none.
        first: the place of the one that is seen at the top.
        name: the name of the file to be saved.
        is_name_selected: whether the next character replaces all of that name.
    """

    def __init__(
        self,
        wish: FileWish,
        folder: Folder,
        rows: int,
        type_of: Callable[[File], bytes],
        hides: Callable[[Node], bool] = lambda node: False,
    ) -> None:
        self.wish, self.rows = wish, rows
        self._type_of, self._hides = type_of, hides
        self.name = (wish.name or b"")[:LONGEST_NAME]
        self.is_name_selected = bool(self.name)
        self.enter(folder)

    def enter(self, folder: Folder) -> None:
        """Show another folder; when a file is to be opened, the first one is selected."""
        self.folder = folder
        self.nodes = [node for node in folder.sorted() if self._is_shown(node)]
        self.first, self.selected = 0, _NONE
        if not self.wish.is_saving and self.nodes:
            self.selected = 0

    def _is_shown(self, node: Node) -> bool:
        if int.from_bytes(node.finder[_FLAGS], "big") & _INVISIBLE:
            return False
        wanted = self.wish.types
        if self.wish.is_saving:
            return True
        has_type = not (isinstance(node, File) and wanted) or self._type_of(node) in wanted
        return has_type and not self._hides(node)

    # -- what is selected --------------------------------------------------------------------------

    @property
    def node(self) -> Node | None:
        """The file or folder that is selected."""
        return self.nodes[self.selected] if 0 <= self.selected < len(self.nodes) else None

    @property
    def opens_folder(self) -> bool:
        """Whether the button opens a folder instead of ending the dialog."""
        return isinstance(self.node, Folder)

    @property
    def can_accept(self) -> bool:
        """Whether the button can be pressed."""
        return self.node is not None or (self.wish.is_saving and bool(self.name))

    def can_select(self, place: int) -> bool:
        """Whether there is something at a place; files are gray while one is to be saved."""
        if not 0 <= place < len(self.nodes):
            return False
        return not self.wish.is_saving or isinstance(self.nodes[place], Folder)

    def select(self, place: int) -> None:
        """Select what is at a place, if it can be, and scroll to it."""
        if self.can_select(place):
            self.selected = place
            self.scroll_to(min(max(self.first, place - self.rows + 1), place))

    def select_name(self, name: bytes) -> None:
        """Select what has a name, or nothing if that is not shown."""
        names = [folded(node.name) for node in self.nodes]
        self.selected = _NONE
        if folded(name) in names:
            self.select(names.index(folded(name)))

    def step(self, by: int) -> None:
        """Select the next one in a direction."""
        place = self.selected + by if self.selected >= 0 else (0 if by > 0 else len(self.nodes) - 1)
        while 0 <= place < len(self.nodes) and not self.can_select(place):
            place += by
        self.select(place)

    def jump(self, letter: bytes) -> None:
        """Select the first whose name does not come before a letter."""
        wanted = folded(letter)
        places = (place for place, node in enumerate(self.nodes) if folded(node.name) >= wanted)
        self.select(next(places, len(self.nodes) - 1))

    def scroll_to(self, first: int) -> None:
        """Let another one be at the top, as far as there are any."""
        self.first = min(max(first, 0), self.overflow)

    @property
    def overflow(self) -> int:
        """How many do not fit into the list."""
        return max(0, len(self.nodes) - self.rows)

    # -- the name of a file to be saved ------------------------------------------------------------

    def type(self, character: int) -> None:
        """Put a character at the name's end, or in place of all of it; 8 removes one."""
        kept = b"" if self.is_name_selected else self.name
        self.selected = _NONE
        if character == ord("\b"):
            kept = kept[:-1]
        elif character == ord(":"):
            kept += b"-"  # a colon parts folders
        elif character >= ord(" "):
            kept += bytes([character])
        self.name, self.is_name_selected = kept[:LONGEST_NAME], False

    def edit_name(self) -> None:
        """Go on with the name at its end."""
        self.selected, self.is_name_selected = _NONE, False

    # -- folders -----------------------------------------------------------------------------------

    @property
    def path(self) -> list[Folder]:
        """The folder that is shown, and those that it is in, up to the disk's root."""
        found, folder = [self.folder], self.folder.parent
        while folder is not None:
            found.append(folder)
            folder = folder.parent
        return found

    @property
    def choice(self) -> tuple[Folder, bytes]:
        """The folder and the name of what has been chosen."""
        node = self.node
        return self.folder, self.name if node is None else node.name
