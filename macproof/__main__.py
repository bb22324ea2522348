"""``python -m macproof`` is the command ``macproof``."""

import sys

from emu.cli import main

if __name__ == "__main__":
    sys.exit(main())
