"""``macproof port`` itself: its commands are found, and what is said without one."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from emu.cli import main
from emu.commands.port import PORT_COMMANDS
from tests.port.project.small_port import write_port


@pytest.mark.parametrize("name", PORT_COMMANDS)
def test_each_command_has_its_module(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    module = importlib.import_module(PORT_COMMANDS[name].module)
    assert callable(module.add) and callable(module.run)
    assert main(["port", name, "--help"]) == 0
    assert f"macproof port {name}" in capsys.readouterr().out


def test_without_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["port"]) == 2
    assert "macproof port --help" in capsys.readouterr().err
    assert main(["port", "statis"]) == 2
    assert "did you mean status?" in capsys.readouterr().err


def test_quiet_may_stand_before_and_behind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_port(tmp_path)
    assert main(["port", "--quiet", "status", str(tmp_path)]) == 0
    assert main(["port", "status", str(tmp_path), "--quiet"]) == 0
    assert capsys.readouterr().out == ""


def test_no_file_of_a_port_is_written_over(tmp_path: Path) -> None:
    path = write_port(tmp_path)
    before = (tmp_path / "sum.c").read_bytes(), path.read_bytes()
    for name in ("sum.c", "port.yaml"):
        assert main(["port", "status", str(tmp_path), "--svg", str(tmp_path / name)]) == 2
        assert main(["port", "functions", str(tmp_path), "--json", str(tmp_path / name)]) == 2
    assert ((tmp_path / "sum.c").read_bytes(), path.read_bytes()) == before
