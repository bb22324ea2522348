"""Makes the old application of examples/old-and-new: one routine with its MacsBug name.

GCC with -mshort passes whole numbers and pointers as THINK C did.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.program.code_samples import write_application

FOLDER = Path(__file__).parents[2] / "examples" / "old-and-new"
FLAGS = (
    *("-m68000", "-mshort", "-mpcrel", "-O1", "-fwrapv", "-fno-omit-frame-pointer"),
    *("-ffreestanding", "-nostdlib", "-static", "-fno-asynchronous-unwind-tables"),
    "-fno-ivopts",  # GCC 12.2 fails in that pass with -mshort
)


def make_original(folder: Path) -> Path:
    """Compile the old source and write the application ``Original.bin`` into a folder."""
    linked, code = folder / "original.elf", folder / "original.text"
    compiling = ["m68k-linux-gnu-gcc", *FLAGS, "-Wl,--build-id=none", "-Wl,-e,Mix", "-o", linked]
    subprocess.run([*compiling, FOLDER / "original.c"], check=True)
    copying = ["m68k-linux-gnu-objcopy", "-O", "binary", "--only-section=.text", linked, code]
    subprocess.run(copying, check=True)
    routine = code.read_bytes()
    ends = routine.rindex(b"\x4e\x75") + 2  # RTS; what follows fills up the section
    name = b"\x83Mix" + bytes(2)  # its length, its letters, no constants behind it
    return write_application(folder, (routine[:ends] + name).hex(), "Original")


if __name__ == "__main__":
    make_original(FOLDER)
