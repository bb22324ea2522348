"""Which version of a Python package an engine has that is installed apart from macproof."""

from __future__ import annotations

from emu.base.errors import ToolMissingError


def version_of_package(package: str, engine: str) -> str:
    """The version of the package that an engine needs.

    Raises:
        ToolMissingError: the package is not installed.
    """
    import importlib.metadata  # here, because every command reads the engines' modules

    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError as error:
        raise ToolMissingError(
            f"{package} is not installed, which the engine {engine} needs: "
            f"pip install 'macproof[{engine}]'"
        ) from error
