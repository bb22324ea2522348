"""BTST, BCHG, BCLR and BSET; JSR and RTD."""

from __future__ import annotations

from emu.lift.m68k.m68k_builder import M68kBuilder, Z, general
from emu.lift.operations import Opcode, Space, Varnode, constant
