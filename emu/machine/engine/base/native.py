"""Compiles functions for an engine with LLVM; one takes nanoseconds, a call of Python 1000.

The module is loaded only when such a function is needed, because loading LLVM takes 59 ms, and
opening an engine 0.8.
"""

from __future__ import annotations

import contextlib
import ctypes
from typing import Any

import unicorn
from llvmlite import binding as llvm
from unicorn import unicorn_const
from unicorn.unicorn_py3 import unicorn as binding


class NativeFunction:
    """A function in machine code, which exists as long as this object does.

    Args:
        text: the function in LLVM's assembler language.
        name: its name there.

    Attributes:
        address: where its code is.
    """

    def __init__(self, text: str, name: str) -> None:
        with contextlib.suppress(RuntimeError):  # newer llvmlite refuses this call, older needs it
            llvm.initialize()
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        # The hook that counts edges is compiled in 7 ms, once in a process.
        machine = llvm.Target.from_default_triple().create_target_machine(opt=2)
        self._compiled: Any = llvm.create_mcjit_compiler(llvm.parse_assembly(text), machine)
        self._compiled.finalize_object()
        self.address = int(self._compiled.get_function_address(name))


def address_of_stop() -> int:
    """The address of the engine's own function that stops it."""
    return ctypes.cast(binding.uclib.uc_emu_stop, ctypes.c_void_p).value or 0


def address_of_register_read() -> int:
    """The address of the engine's own function that reads a register."""
    return ctypes.cast(binding.uclib.uc_reg_read, ctypes.c_void_p).value or 0


def add_block_hook(engine: unicorn.Uc, function: NativeFunction, memory: int) -> None:
    """Have an engine call a function before each block; see `add_hook`.

    Args:
        engine: the engine.
        function: a ``uc_cb_hookcode_t`` of Unicorn's header.
        memory: what it gets as its last argument.
    """
    add_hook(engine, unicorn_const.UC_HOOK_BLOCK, function, memory)


def add_hook(
    engine: unicorn.Uc,
    kind: int,
    function: NativeFunction,
    memory: int,
    places: range = range(1, 1),
) -> None:
    """Have an engine call a function.

    Args:
        engine: the engine; the caller has to keep the function and the memory alive.
        kind: on what it is called, a sum of Unicorn's UC_HOOK constants.
        function: a function of the type that Unicorn's header gives for this kind.
        memory: what it gets as its last argument.
        places: the addresses at which it is called; by default all.

    Raises:
        unicorn.UcError: the engine refuses it.
    """
    # A second handle of the library: the binding's prototype of uc_hook_add does not fit.
    uc_hook_add = ctypes.CDLL(binding.uclib._name).uc_hook_add
    hook = ctypes.c_size_t()
    error = uc_hook_add(
        engine._uch,
        ctypes.byref(hook),
        ctypes.c_int(kind),
        ctypes.c_void_p(function.address),
        ctypes.c_void_p(memory),
        ctypes.c_uint64(places.start),  # a beginning behind the end means: all addresses
        ctypes.c_uint64(places.stop - 1),
    )
    if error:
        raise unicorn.UcError(error)
