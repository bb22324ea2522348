"""The records of TextEdit's text in several styles.

Source: Inside Macintosh V, the chapter on TextEdit; Inside Macintosh: Text, chapter 2.
"""

from __future__ import annotations

from emu.toolbox.records.fields import array, data, handle, int16, int32, nested, uint8
from emu.toolbox.records.quickdraw import RGBColor
from emu.toolbox.records.record import Record


class TextStyle(Record):
    """How characters look."""

    tsFont = int16()
    tsFace = uint8("Style")
    filler = data(1)
    tsSize = int16()
    tsColor = nested(RGBColor)


class StyleRun(Record):
    """Where characters of one style begin, and the style's place in the style table."""

    startChar = int16()
    styleIndex = int16()


class STElement(Record):
    """A style of the style table: how many runs have it, its measures, and a `TextStyle`."""

    stCount = int16()
    stHeight = int16()
    stAscent = int16()
    stFont = int16()
    stFace = uint8("Style")
    filler = data(1)
    stSize = int16()
    stColor = nested(RGBColor)


class LHElement(Record):
    """The height and ascent of a line."""

    lhHeight = int16()
    lhAscent = int16()


class ScrpSTElement(Record):
    """A style of the style scrap: where it begins, its measures, and a `TextStyle`."""

    scrpStartChar = int32()
    scrpHeight = int16()
    scrpAscent = int16()
    scrpFont = int16()
    scrpFace = uint8("Style")
    filler = data(1)
    scrpSize = int16()
    scrpColor = nested(RGBColor)


class StScrpRec(Record):
    """The style scrap: the styles of a piece of text."""

    scrpNStyles = int16()
    scrpStyleTab = array(nested(ScrpSTElement))


class NullStRec(Record):
    """The style that is kept for what is typed next, as a style scrap of none or one."""

    teReserved = int32()
    nullScrap = handle(StScrpRec)


class TEStyleRec(Record):
    """What belongs to a text in several styles besides its `TERec`."""

    nRuns = int16()
    nStyles = int16()
    styleTab = handle(STElement)
    lhTab = handle(LHElement)
    teRefCon = int32()
    nullStyle = handle(NullStRec)
    runs = array(nested(StyleRun))
