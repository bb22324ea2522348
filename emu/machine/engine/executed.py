"""Counts how much code is executed, without a Python call for each block.

A block hook that is compiled to machine code by Numba adds each block's size to a number in
memory. Python only ever reads the number.
"""

from __future__ import annotations

import ctypes
import functools
from typing import Any

import numpy as np
import unicorn
from unicorn import unicorn_const
from unicorn.unicorn_py3 import unicorn as binding

from emu.errors import ToolMissingError


@functools.cache
def _adder() -> Any:
    try:
        import numba
    except ImportError as error:
        raise ToolMissingError(
            "counting executed code needs Numba: pip install 'macproof[model]'"
        ) from error

    def add_size(engine: Any, address: Any, size: Any, total: Any) -> None:
        numba.carray(total, 1, numba.uint64)[0] += size

    return numba.cfunc("void(voidptr, uint64, uint32, voidptr)")(add_size)


class ExecutedCode:
    """Bytes of guest code that an engine has executed since this was made.

    Raises:
        ToolMissingError: Numba is not installed.
    """

    def __init__(self, engine: unicorn.Uc) -> None:
        self._function = _adder()
        self._total = np.zeros(1, dtype=np.uint64)
        # A handle of its own: the binding's prototype of this function does not fit.
        add_hook = ctypes.CDLL(binding.uclib._name).uc_hook_add
        hook = ctypes.c_size_t()
        error = add_hook(
            engine._uch,
            ctypes.byref(hook),
            ctypes.c_int(unicorn_const.UC_HOOK_BLOCK),
            ctypes.c_void_p(self._function.address),
            ctypes.c_void_p(self._total.ctypes.data),
            ctypes.c_uint64(1),  # begin behind end: everywhere
            ctypes.c_uint64(0),
        )
        if error:
            raise unicorn.UcError(error)

    @property
    def size(self) -> int:
        """Bytes so far; a block counts as a whole when it is entered."""
        return int(self._total[0])
