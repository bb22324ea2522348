"""The execution engine: the only package that knows Unicorn.

There are three engines, which share one guest memory. The *fast* engine runs scenes by the
thousand; it has only one hook, which answers page faults. The *traced* engine runs a single call
again, counts blocks, keeps the last ones, enforces the budget and says exactly which access failed.
In both, every run begins with the processor as it was when the engine was opened. The *hosted*
engine runs a whole program and stops at every trap, so that Python can answer it. Each defect of
Unicorn 2.1.4 that is worked around here has a test in ``tests/machine/test_engine_pitfalls.py``.
"""

from __future__ import annotations

from emu.machine.engine.base.entries import Entries
from emu.machine.engine.base.models import EngineError, describe_engine, find_model
from emu.machine.engine.fast_engine import FastEngine
from emu.machine.engine.hosted_engine import HostedEngine
from emu.machine.engine.quirks.infinities import find_infinity
from emu.machine.engine.quirks.stale_code import StaleCode, find_stale_code
from emu.machine.engine.stops import Stop, StopKind
from emu.machine.engine.traced_engine import TracedEngine
from emu.machine.engine.watch.call_stack import StopPoint
from emu.machine.engine.watch.edges import (
    EDGE,
    MOST_EDGES,
    Block,
    EdgeCounter,
    NewEdge,
    TooManyEdgesError,
)
from emu.machine.engine.watch.executed_code import ExecutedCode
from emu.machine.engine.watch.trace import BadAccess, Store, Trace
from emu.machine.engine.watch.translated_code import Observer, Refusal, TranslatedCode

__all__ = [
    "EDGE",
    "MOST_EDGES",
    "BadAccess",
    "Block",
    "EdgeCounter",
    "EngineError",
    "Entries",
    "ExecutedCode",
    "FastEngine",
    "HostedEngine",
    "NewEdge",
    "Observer",
    "Refusal",
    "StaleCode",
    "Stop",
    "StopKind",
    "StopPoint",
    "Store",
    "TooManyEdgesError",
    "Trace",
    "TracedEngine",
    "TranslatedCode",
    "describe_engine",
    "find_infinity",
    "find_model",
    "find_stale_code",
]
