"""Links a case's program of XCOFF objects, with the linker that their compiler has.

The linker throws away what nothing needs, but keeps what debugging information describes: every
function of a unit, also one that calls what no file defines. So it links twice: without debugging
information, to find what is missing; then with it, where a name that only a needless function calls
becomes an import, at an address without memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from emu.base.errors import CompileError
from emu.toolchain.builds import Build, Target
from emu.toolchain.compiler import Stage
from emu.toolchain.compilers.find import has_library, library_of, tool_of
from emu.toolchain.programs.callable_functions import linkable
from emu.toolchain.xcoff_objects import CONSTRUCTOR, shown_names

_PROGRAM = "program.xcoff"
# Where code and data begin: as in guest.ld, and elsewhere for a build that is moved.
_PLACES = {False: ("0x10000", "0x100000"), True: ("0x3A5000", "0x5C7000")}
_CONSTRUCTORS = """\
	.csect macproof_constructors[RW],2
	.globl __macproof_constructors
__macproof_constructors:
{words}	.globl __macproof_constructors_end
__macproof_constructors_end:
	.long 0
"""
_NEEDED = {"__macproof_constructors", "__macproof_constructors_end"}


@dataclass(frozen=True, slots=True)
class XcoffLinkJob:
    """The last step of making a program. The attributes are those of `LinkJob`."""

    build: Build
    target: Target
    stage: Stage
    blamed: Path

    def program(self, objects: Sequence[str], shown: Sequence[str], more: Sequence[str]) -> bytes:
        """Link the objects.

        Args:
            objects: the names of all objects.
            shown: the names of functions and variables that are needed.
            more: the names of functions that are kept, unless what they need is missing.

        Raises:
            CompileError: the linker refused something, or the build has sanitizers.
        """
        if self.build.sanitizers:
            raise CompileError(
                self.blamed,
                f"{self.target.compiler} makes XCOFF files, for which macproof has no sanitizers",
            )
        objects = [*objects, *self._constructors(objects)]
        defined = [name for object_file in objects for name in self._defined(object_file)]
        bare = [self._without_debugging(object_file) for object_file in objects]

        def link(files: Sequence[str], keep: Iterable[str], *options: str) -> None:
            self._link(files, defined, {*keep, *_NEEDED}, *options)

        def links(keep: Sequence[str]) -> bool:
            try:
                link(bare, [*shown, *keep])
            except CompileError:
                return False
            return True

        if not links(more):
            link(bare, shown)  # to say what is wrong, if it is not about `more`
            more = linkable(links, more)
        link(objects, [*shown, *more], "-berok")
        return (self.stage.folder / _PROGRAM).read_bytes()

    def _link(
        self, objects: Sequence[str], defined: Iterable[str], keep: set[str], *options: str
    ) -> None:
        exports = [name for name in dict.fromkeys(defined) if name.removeprefix(".") in keep]
        (self.stage.folder / "exports").write_text("".join(f"{name}\n" for name in exports))
        code, data = _PLACES[self.build.is_moved]
        command = [tool_of(self.target.compiler, "ld"), "-bE:exports", *options]
        command += [f"-bpT:{code}", f"-bpD:{data}", *objects]
        if has_library(self.target):
            command.append(library_of(self.target))
        self.stage.run([*command, "-o", _PROGRAM], self.blamed)

    def _without_debugging(self, name: str) -> str:
        """Stage a copy of an object without its debugging information."""
        copier = tool_of(self.target.compiler, "objcopy")
        self.stage.run([copier, "-g", name, f"bare-{name}"], self.blamed)
        return f"bare-{name}"

    def _defined(self, name: str) -> list[str]:
        return shown_names((self.stage.folder / name).read_bytes())

    def _constructors(self, objects: Sequence[str]) -> list[str]:
        """Stage the list of the functions that construct global objects; none if there are none."""
        names = [name for object_file in objects for name in self._defined(object_file)]
        names = [name for name in names if name.startswith(CONSTRUCTOR)]
        if not names:
            return []
        names.sort(key=lambda name: name[len(CONSTRUCTOR) :].partition("_")[0])
        words = "".join(f"\t.long {name}\n" for name in names)
        (self.stage.folder / "constructors.s").write_text(_CONSTRUCTORS.format(words=words))
        command = [self.target.compiler, *self.target.flags]
        path = self.stage.compile(command, "constructors.s", "constructors.o", self.blamed)
        return [path.name]
