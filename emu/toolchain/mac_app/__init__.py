"""Builds Mac applications with only Debian's cross compilers and macproof's own runtime."""

from emu.toolchain.mac_app.application import (
    SYMBOL_SUFFIXES,
    application_digest,
    build_application,
)
from emu.toolchain.mac_app.resources import Description, read_description

__all__ = [
    "SYMBOL_SUFFIXES",
    "Description",
    "application_digest",
    "build_application",
    "read_description",
]
