"""Compiles modules of LLVM to objects for the processor of this computer, and loads them."""

from __future__ import annotations

import contextlib
from typing import Any

from llvmlite import binding as llvm

_SPEED = 1
_PASSES = ("sroa", "simplify_cfg", "instruction_combine", "simplify_cfg")
"""LLVM's level for making machine code, and its passes before that."""


def host_processor() -> str:
    """The processor that objects are made for, with its features and the version of LLVM."""
    version = ".".join(map(str, llvm.llvm_version_info))
    return f"{llvm.get_process_triple()} {llvm.get_host_cpu_name()} {_features()} LLVM {version}"


def compile_object(text: str, speed: int = _SPEED) -> bytes:
    """Compile a module.

    Args:
        text: the module in LLVM's assembler language.
        speed: LLVM's level for making machine code; 0 takes a seventh of the time of 1.

    Raises:
        RuntimeError: it is none, which is a mistake of who wrote it.
    """
    machine = _machine(speed)
    module = llvm.parse_assembly(text)
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options())
    passes = llvm.create_new_module_pass_manager()
    for name in _PASSES:
        getattr(passes, f"add_{name}_pass")()
    passes.run(module, builder)
    return bytes(machine.emit_object(module))


class LoadedObject:
    """An object in the memory of this process, as long as this exists.

    Args:
        content: the object.
    """

    def __init__(self, content: bytes) -> None:
        self._engine: Any = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine())
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(content))
        self._engine.finalize_object()

    def address(self, name: str) -> int:
        """The address of a function."""
        return int(self._engine.get_function_address(name))


def _features() -> str:
    return str(llvm.get_host_cpu_features().flatten())


def _machine(speed: int = _SPEED) -> Any:
    with contextlib.suppress(RuntimeError):  # newer llvmlite refuses this call, older needs it
        llvm.initialize()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=_features(), opt=speed, jit=True
    )
