"""The option that says how much is checked."""

from __future__ import annotations

import argparse

from emu.checks.levels import LEVELS, USUAL


def add_checks_option(parser: argparse.ArgumentParser) -> None:
    """Declare ``--checks``: whether every access to memory is checked."""
    parser.add_argument(
        "--checks",
        choices=LEVELS,
        default=USUAL,
        help="full: check every access to memory too, which takes longer (default: usual)",
    )
