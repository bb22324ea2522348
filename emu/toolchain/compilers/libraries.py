"""What is linked to a program beside its own code, and what a compiler lacks of it.

macproof has a runtime in place of a C library. GCC's own library, libgcc, has instructions that a
68000 lacks, and some compilers are installed without it, or without the headers of a C library.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from emu.toolchain import build_cache
from emu.toolchain.builds import Build, Target
from emu.toolchain.compiler import Stage, staged
from emu.toolchain.compilers.find import OWN_HEADERS, has_library, tool_of
from emu.toolchain.sanitizers import RUNTIME_FLAGS, runtime_files
from emu.toolchain.sources import ARITHMETIC, Sources, SourceTree

CODE_FLAGS = (
    "-g",
    "-gno-record-gcc-switches",
    "-ffreestanding",
    "-fno-pic",
    "-no-pie",
    "-fno-asynchronous-unwind-tables",
    "-fno-stack-protector",
    "-ffunction-sections",
    "-fdata-sections",
)
"""The flags that everything in a program is compiled with."""

# Without the first flag GCC would turn the loop in memset into a call of memset.
RUNTIME_CODE_FLAGS = ("-O2", "-fno-tree-loop-distribute-patterns", "-x", "c")


_OF_APPLICATIONS = {
    "quickdraw/globals.c": {
        *("qd", "thePort", "randSeed", "screenBits", "arrow"),
        *("white", "black", "gray", "ltGray", "dkGray"),
    },
    "mac/callback_m68k.s": {"CallUniversalProc"},
}
"""Files of the runtime that are linked where a program lacks one of these names."""
_OF_TEXTS = ("mac/string.c", "mac/search.c")
_HEADERS = "mac/include"


def stage_headers(tree: SourceTree, target: Target, stage: Stage) -> None:
    """Stage headers of a C library for a compiler that has none."""
    if not {*OWN_HEADERS} <= {*target.flags}:
        return
    (stage.folder / OWN_HEADERS[1]).mkdir()
    for path in (tree.runtime / "mac" / "include").iterdir():
        (stage.folder / OWN_HEADERS[1] / path.name).write_bytes(path.read_bytes())
        stage.note(path)


@dataclass(frozen=True, slots=True)
class Libraries:
    """The objects that a program is linked with. The attributes are those of `LinkJob`."""

    sources: Sources
    build: Build
    target: Target
    version: str
    stage: Stage

    @property
    def of_gcc(self) -> list[str]:
        """The linker's option for GCC's own library, if there is one."""
        return ["-lgcc"] if has_library(self.target) else []

    def stage_objects(self, flags: Sequence[str]) -> list[str]:
        """Compile everything; the names of the objects, in the order of linking.

        Args:
            flags: what else it is compiled with.
        """
        objects = self._runtime("runtime", *flags)
        is_m68k = self.target.architecture == "m68k"
        if self.target.needs_arithmetic or (is_m68k and not self.of_gcc):
            objects.append(self._arithmetic())
        objects += self._sanitizers(*flags)
        return objects if self.of_gcc else [*objects, *self._without_library()]

    def of_applications(
        self, missing: set[str], defined: set[str], search: Sequence[str]
    ) -> list[str]:
        """Compile what a Macintosh application has of itself, as far as the program uses it.

        A program with a ``qd`` of its own has to give ``thePort`` its place in that.

        Args:
            missing: the symbols that the program uses and does not define.
            defined: those that it defines.
            search: the options that tell where its headers are.
        """
        is_m68k = self.target.architecture == "m68k"
        objects = []
        for name, symbols in _OF_APPLICATIONS.items():
            is_used = bool(symbols & missing) and "qd" not in symbols & defined
            if not is_used or self.target.makes_xcoff or not (is_m68k or name.endswith(".c")):
                continue
            path = self.sources.tree.runtime / name
            (self.stage.folder / path.name).write_bytes(path.read_bytes())
            self.stage.note(path)
            command = [self.target.compiler, *CODE_FLAGS, *self.target.flags]
            command += [*search, "-x", "c"] if path.suffix == ".c" else []
            blamed = self.sources.tree.sources[0]
            objects.append(self.stage.compile(command, path.name, f"{path.stem}.o", blamed).name)
        return objects

    def of_texts(self, flags: Sequence[str]) -> list[str]:
        """Compile what C's library does with texts and characters and keeps nothing of.

        Args:
            flags: what else it is compiled with.
        """
        folder = self.sources.tree.runtime
        paths = [folder / name for name in _OF_TEXTS]
        paths += sorted((folder / _HEADERS).iterdir())
        files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
        for path in paths:
            self.stage.note(path)
        return self._compiled_runtime(files, *flags, f"-I{_HEADERS}")

    def _without_library(self) -> list[str]:
        """Stage what stands for libgcc beside `_arithmetic`, for a compiler that has none."""
        folder = self.sources.tree.runtime / "bare"
        files = {f"bare/{path.name}": path.read_bytes() for path in sorted(folder.iterdir())}
        for name in files:
            self.stage.note(folder.parent / name)
        return self._compiled_runtime(files)

    def _arithmetic(self) -> str:
        """Stage the routines that the processor or compiler has nothing for, as an archive.

        Of an archive the linker takes only what is called.
        """
        members = self._runtime(f"runtime/{ARITHMETIC}", "-g0")
        digests = [build_cache.digest_of(self.stage.folder / name) for name in members]
        key = build_cache.key_of("arithmetic", self.version, *members, *digests)
        path = self.stage.folder / "arithmetic.a"
        cached = build_cache.find(key, ".a")
        if cached is None:
            archiver = tool_of(self.target.compiler, "ar")
            self.stage.run([archiver, "rcsD", path.name, *members], self.sources.tree.runtime)
            build_cache.keep(key, ".a", path.read_bytes(), {})
        else:
            path.write_bytes(cached.path.read_bytes())
        return path.name

    def _sanitizers(self, *more: str) -> list[str]:
        """Stage the objects of the sanitizers' runtime; none if the build has no sanitizers."""
        if not self.build.sanitizers:
            return []
        paths = runtime_files(self.sources.tree.runtime, self.build)
        for path in paths.values():
            self.stage.note(path)
        files = {name: path.read_bytes() for name, path in paths.items()}
        return self._compiled_runtime(files, *RUNTIME_FLAGS, *more)

    def _runtime(self, folder: str, *more: str) -> list[str]:
        """Stage the objects of a folder of the runtime, each compiled once for a processor."""
        files = {
            name: content
            for name, content in self.sources.files.items()
            if str(PurePosixPath(name).parent) == folder
        }
        return self._compiled_runtime(files, *more)

    def _compiled_runtime(self, files: Mapping[str, bytes], *more: str) -> list[str]:
        """Stage the objects of C files, by their staged names; flags are added to the target's."""
        summary = hashlib.sha256()
        for name, content in files.items():
            summary.update(f"{name}\0{len(content)}\0".encode() + content)
        flags = [*CODE_FLAGS, *self.target.flags, *more, *RUNTIME_CODE_FLAGS]
        command = [self.target.compiler, *flags]
        objects = []
        for name in files:
            if not name.endswith(".c"):
                continue
            key = build_cache.key_of("runtime", self.version, *command, name, summary.hexdigest())
            cached = build_cache.find(key, ".o")
            if cached is None:
                with staged(files) as stage:
                    path = stage.compile(command, name, "runtime.o", self.sources.tree.runtime)
                    cached = build_cache.keep(key, ".o", path.read_bytes(), stage.read)
            self.stage.read.update(cached.read)
            objects.append(f"{Path(name).stem}.o")
            (self.stage.folder / objects[-1]).write_bytes(cached.path.read_bytes())
        return objects
