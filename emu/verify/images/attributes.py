"""Reads attributes of scenes and of answers, which are anybody's Python objects, as NumPy arrays.

For example, the text "abc" becomes the bytes of a Pascal string, and a list of numbers an array.
`SlotValues` lays these arrays into images.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import CaseError, MacproofError, UsageError
from emu.base.functions import told_as
from emu.cases.keys.arguments import Phrase
from emu.machine.guest.guest_values import mac_roman
from emu.verify.places.slots.fields import Slot
from emu.verify.scenes.columns import ColumnItem


def read_values(item: ColumnItem, slot: Slot, who: str, case_path: Path) -> NDArray[Any]:
    """Read the attribute of a scene, or of a reference's answer, that belongs to a slot.

    Args:
        item: the scene or the answer.
        slot: the slot; its phrase names the attribute.
        who: the beginning of messages: "a scene of module:make has".
        case_path: the case's file, for messages.

    Returns:
        An array of booleans, whole numbers or floats, of any shape and dtype; whether it fits the
        slot is checked later. For a slot of long doubles it may be an array of objects. A text
        gives its bytes, as uint8. Functions give their names as texts, "" for the null pointer.

    Raises:
        CaseError: there is no such attribute, or it has something else than numbers.
        UsageError: the attribute is a property that raises an exception.
    """
    attribute = slot.phrase.attribute
    values = attribute_of(item, attribute, who, case_path)
    is_plain = type(values) is np.ndarray and values.size and values.dtype.kind in "biuf"
    if is_plain and not slot.phrase.text:  # as nearly all are
        return np.asarray(values)
    if slot.phrase.is_function:
        return _function_names(values, f"{who} {attribute}", case_path)
    is_text = isinstance(values, (str, bytes, bytearray)) and slot.type.size == 1
    if slot.phrase.text and len(slot.shape) > 1 and isinstance(values, (list, tuple)):
        return _rows_of_texts(values, slot, who, case_path)
    if slot.phrase.text or is_text:
        return text_bytes(values, slot.phrase, who, case_path)
    if isinstance(values, np.ma.MaskedArray):
        return values
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise CaseError(case_path, f"{who} {attribute} in rows of different lengths") from error
    if array.size == 0 and array.dtype == np.float64:
        return array.astype(np.int64)  # NumPy's idea of an empty list
    if array.dtype.kind not in ("biufO" if slot.type.wide is not None else "biuf"):
        raise CaseError(case_path, f"{who} {attribute} as {array.dtype}, not as numbers")
    return array


def _function_names(functions: Any, what: str, case_path: Path) -> NDArray[np.str_]:
    """The name of a function, or the names of several, of which None is the null pointer."""
    several = isinstance(functions, (Sequence, np.ndarray)) and not isinstance(functions, str)
    names = [
        "" if function is None else function for function in (functions if several else [functions])
    ]
    if not all(isinstance(name, str) for name in names):
        raise CaseError(case_path, f"{what} as {functions!r:.80}, not as the name of a function")
    return np.array(names, np.str_) if several else np.array(names[0], np.str_)


def _rows_of_texts(
    texts: Sequence[Any], slot: Slot, who: str, case_path: Path
) -> np.ma.MaskedArray:
    """Texts for an array of strings: a row for each, with the bytes behind the text masked."""
    room = slot.shape[-1]
    rows = np.zeros((len(texts), room), np.uint8)
    is_behind = np.ones(rows.shape, np.bool_)
    for number, value in enumerate(texts):
        text = text_bytes(value, slot.phrase, who, case_path)
        if len(text) > room:
            what = f"{who} {slot.phrase.attribute}[{number}] with {len(text)} bytes"
            raise CaseError(case_path, f"{what}, and {slot.name} has room for {room} in each")
        rows[number, : len(text)] = text
        is_behind[number, : len(text)] = False
    return np.ma.MaskedArray(rows, is_behind)


def attribute_of(item: ColumnItem, attribute: str, who: str, case_path: Path) -> Any:
    """An attribute of a scene or an answer, of whatever type it is.

    Raises:
        CaseError: there is no such attribute.
        UsageError: to read it runs a property, which raises an exception.
    """
    try:
        return item.get(attribute)
    except MacproofError:
        raise
    except (Exception, SystemExit) as error:  # a property may be anybody's code
        if isinstance(error, AttributeError) and not hasattr(type(item.source), attribute):
            raise CaseError(case_path, f"{who} no {attribute}") from error
        with told_as(f"{who} a property {attribute}, which fails"):
            raise


def text_bytes(value: Any, phrase: Phrase, who: str, case_path: Path) -> NDArray[np.uint8]:
    """Encode a text in Mac OS Roman, as a Pascal or C string if the phrase says so.

    Args:
        value: a text, or bytes that are taken as they are.
        phrase: its ``text`` is "pascal" for a length byte in front, "c" for a 0 behind.
        who: the beginning of messages.
        case_path: the case's file, for messages.

    Raises:
        CaseError: it is neither text nor bytes, has a character that Mac OS Roman lacks, has more
            than 255 characters for a Pascal string, or has a 0 inside for a C string.
    """
    attribute, text = phrase.attribute, phrase.text
    if not isinstance(value, (str, bytes, bytearray)):
        kind = type(value).__name__
        raise CaseError(case_path, f"{who} {attribute} as {kind}, not as a text or bytes")
    try:
        data = mac_roman(value if isinstance(value, str) else bytes(value))
    except UsageError as error:
        raise CaseError(case_path, f"{who} {attribute}: {error}") from error
    if text == "pascal":
        if len(data) > 255:
            raise CaseError(
                case_path, f"{who} {attribute} with {len(data)} characters, more than 255"
            )
        data = bytes([len(data)]) + data
    elif text == "c":
        if 0 in data:
            raise CaseError(case_path, f"{who} {attribute} with a 0 inside")
        data += b"\0"
    return np.frombuffer(data, np.uint8)
