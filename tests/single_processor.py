"""``macproof`` for commands of the documentation; `verify` as on a computer with one processor.

It prints the same with any number of workers, and the processes that run the tests keep the
processors busy already: two workers take a second of processor time more than one.
"""

from __future__ import annotations

import os
import sys

from emu.cli import main

if __name__ == "__main__":
    if sys.argv[1:2] == ["verify"]:
        os.sched_getaffinity = lambda process: {0}
    sys.exit(main())
