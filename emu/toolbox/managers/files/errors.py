"""The exception that carries a result code of the File Manager."""

from __future__ import annotations

from emu.toolbox.records.results import ResultCode


class FileError(Exception):
    """A File Manager routine has failed; the manager returns the code to the program.

    Attributes:
        code: the result code.
        driver: the reference number of the device driver that the program meant; 0 for none.
        is_answer: whether the code only answers a question of the program's, as when it counts open
            files, and says nothing about a mistake.
    """

    def __init__(self, code: ResultCode, *, driver: int = 0, is_answer: bool = False) -> None:
        self.code = code
        self.driver = driver
        self.is_answer = is_answer
        super().__init__(code.name)
