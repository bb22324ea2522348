"""The option that says how much is checked."""

from __future__ import annotations

import argparse

from emu.checks.levels import LEVELS, USUAL


def add_checks_option(parser: argparse.ArgumentParser, *, is_verdict: bool = False) -> None:
    """Declare ``--checks``: whether every access to memory is checked.

    Args:
        parser: the parser.
        is_verdict: whether every access is checked without the option where that takes little time.
    """
    otherwise = " (default: usual)"
    if is_verdict:
        otherwise = (
            "; usual: check the results and the rules of calls alone (default: check every access "
            "in the calls that translated code can make)"
        )
    parser.add_argument(
        "--checks",
        choices=LEVELS,
        default=None if is_verdict else USUAL,
        help=f"full: check every access to memory too, which takes longer{otherwise}",
    )
