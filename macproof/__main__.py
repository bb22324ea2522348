"""The command ``macproof``, also as ``python -m macproof``."""

import gc
import sys

from macproof.installation import conflict


def main() -> int:
    """Run one command, if all packages that it will import are those of macproof.

    Returns:
        The exit code; 3 if another package has taken the place of one of macproof.
    """
    problem = conflict()
    if problem:
        print(f"macproof: {problem}", file=sys.stderr)
        return 3
    try:
        from emu.cli import main as run  # not before it is known to be ours
    except KeyboardInterrupt:  # it takes half a second; later ones `run` answers
        print("macproof: interrupted", file=sys.stderr)
        return 130

    code = run()
    gc.freeze()  # else Python looks for garbage in all that is loaded, before it ends: 0.15 s
    return code


if __name__ == "__main__":
    sys.exit(main())
