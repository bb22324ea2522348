"""Result codes of the File Manager, and the exception that carries one.

Source: Inside Macintosh: Files, "Result Codes" of chapter 2.
"""

from __future__ import annotations

from enum import IntEnum


class FileCode(IntEnum):
    """A result code: what a routine returns when it fails; noErr, 0, means success."""

    PARAMETER = -50
    NO_DRIVER = -21
    DIRECTORY_FULL = -33
    DISK_FULL = -34
    NO_SUCH_VOLUME = -35
    IO = -36
    BAD_NAME = -37
    NOT_OPEN = -38
    END_OF_FILE = -39
    POSITION = -40
    TOO_MANY_OPEN = -42
    NOT_FOUND = -43
    FILE_LOCKED = -45
    FILE_BUSY = -47
    DUPLICATE_NAME = -48
    ALREADY_WRITING = -49
    BAD_REFERENCE = -51
    PERMISSION = -54
    VOLUME_IN_USE = -55
    NO_SUCH_DRIVE = -56
    WRITE_PERMISSION = -61
    MEMORY_FULL = -108
    FOLDER_NOT_FOUND = -120
    TOO_MANY_WORKING_DIRECTORIES = -121
    BAD_MOVE = -122
    WRONG_VOLUME_TYPE = -123
    NO_SUCH_NUMBER = -1300
    NOT_IN_DATABASE = -5012


class FileError(Exception):
    """A File Manager routine has failed; the manager returns the code to the program.

    Attributes:
        code: the result code.
        driver: the reference number of the device driver that the program meant; 0 for none.
        is_answer: whether the code only answers a question of the program's, as when it counts open
            files, and says nothing about a mistake.
    """

    def __init__(self, code: FileCode, *, driver: int = 0, is_answer: bool = False) -> None:
        self.code = code
        self.driver = driver
        self.is_answer = is_answer
        super().__init__(code.name)
