"""Whole Mac applications with nothing but Debian's cross compilers and macproof's own runtime."""

from emu.toolchain.mac_app.application import application_digest, build_application
from emu.toolchain.mac_app.resources import Description, read_description

__all__ = ["Description", "application_digest", "build_application", "read_description"]
