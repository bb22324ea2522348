/* console.c
 *
 * A window for what programs print, opened by the first byte. Whatever is
 * written passes _consolewrite, so a debugger, or a program that runs this
 * one, can take the text from there.
 */

#include <string.h>

#include <Events.h>
#include <Fonts.h>
#include <Menus.h>
#include <Quickdraw.h>
#include <Windows.h>

#include "runtime.h"

enum
{
    kRows = 24, kColumns = 80,
    kMargin = 4,
    kLeft = 6, kTop = 44, kWidth = 488, kHeight = 272
};

static WindowPtr    gConsole;
static char         gText[kRows][kColumns];
static short        gRow, gColumn;
static short        gCellWidth, gLineHeight, gAscent;
static short        gRowsShown, gColumnsShown;

static short _Least(short a, short b)
{
    return a < b ? a : b;
}

static int _Open(void)
{
    static const unsigned char title[] = { 7, 'C', 'o', 'n', 's', 'o', 'l', 'e' };
    Rect bounds;
    FontInfo font;

    if (gConsole != NULL)
        return 1;
    if (qd.screenBits.rowBytes == 0)    /* the program left this to its console */
    {
        InitGraf(&qd.thePort);
        InitFonts();
        InitWindows();
        InitMenus();
        InitCursor();
    }
    SetRect(&bounds, kLeft, kTop, kLeft + kWidth, kTop + kHeight);
    gConsole = NewWindow(NULL, &bounds, title, 1, noGrowDocProc, (WindowPtr) -1L, 0, 0);
    if (gConsole == NULL)
        return 0;
    SetPort(gConsole);
    TextFont(monaco);
    TextSize(9);
    GetFontInfo(&font);
    gAscent = font.ascent;
    gLineHeight = font.ascent + font.descent + font.leading;
    gCellWidth = CharWidth('M');
    gRowsShown = _Least(kRows, (kHeight - 2 * kMargin) / gLineHeight);
    gColumnsShown = _Least(kColumns, (kWidth - 2 * kMargin) / gCellWidth);
    memset(gText, ' ', sizeof gText);
    return 1;
}

static void _Draw(short row, short from, short count)
{
    MoveTo(kMargin + from * gCellWidth, kMargin + row * gLineHeight + gAscent);
    DrawText(gText[row], from, count);
}

/* Something that covered the console may have gone away. */

static void _Update(void)
{
    short row;

    if (EmptyRgn(((WindowPeek) gConsole)->updateRgn))
        return;
    BeginUpdate(gConsole);
    EraseRect(&gConsole->portRect);
    for (row = 0; row < gRowsShown; row++)
        _Draw(row, 0, gColumnsShown);
    EndUpdate(gConsole);
}

static void _NewLine(void)
{
    Rect all;
    RgnHandle update;

    gColumn = 0;
    if (++gRow < gRowsShown)
        return;
    gRow = gRowsShown - 1;
    memmove(gText[0], gText[1], (size_t) gRow * kColumns);
    memset(gText[gRow], ' ', kColumns);
    SetRect(&all, kMargin, kMargin, kWidth - kMargin, kMargin + gRowsShown * gLineHeight);
    update = NewRgn();
    ScrollRect(&all, 0, -gLineHeight, update);
    DisposeRgn(update);
}

/* Text between line ends is drawn in one piece. */

static void _Write(const char* text, size_t count)
{
    while (count != 0)
    {
        size_t run = 0, room = (size_t) (gColumnsShown - gColumn);

        while (run < count && run < room && text[run] != '\n' && text[run] != '\r'
               && text[run] != '\t' && text[run] != '\b' && text[run] != '\a')
            run++;
        if (run != 0)
        {
            memcpy(gText[gRow] + gColumn, text, run);
            _Draw(gRow, gColumn, (short) run);
            gColumn += (short) run;
        }
        else if (*text == '\n' || *text == '\r')
        {
            _NewLine();
            run = 1;
        }
        else if (*text == '\b' || *text == '\a')
        {
            if (*text == '\b' && gColumn > 0)
            {
                Rect cell;

                gColumn--;
                gText[gRow][gColumn] = ' ';
                SetRect(&cell, 0, 0, gCellWidth, gLineHeight);
                OffsetRect(&cell, kMargin + gColumn * gCellWidth, kMargin + gRow * gLineHeight);
                EraseRect(&cell);
            }
            run = 1;
        }
        else if (room != 0)             /* a tab */
        {
            gColumn = _Least(gColumnsShown, (gColumn | 7) + 1);
            run = 1;
        }
        else
            _NewLine();
        text += run;
        count -= run;
    }
}

/* Not inlined, so that it can be watched. */

__attribute__((noinline, noclone))
long _consolewrite(int fd, const void* buffer, size_t count)
{
    GrafPtr saved = NULL;

    (void) fd;
    if (count == 0)
        return 0;
    if (qd.screenBits.rowBytes != 0)
        GetPort(&saved);
    if (_Open())
    {
        SetPort(gConsole);
        _Update();
        _Write((const char*) buffer, count);
        if (saved != NULL)
            SetPort(saved);
    }
    return (long) count;
}

/* A line of what is typed, given away in as many pieces as asked for. */

static char gLine[256];
static short gTyped, gTaken;

static void _TypeLine(void)
{
    EventRecord event;

    gTyped = gTaken = 0;
    while (gTyped == 0 || gLine[gTyped - 1] != '\n')
    {
        char c;

        SystemTask();
        if (!GetNextEvent(everyEvent, &event))
            continue;
        if (event.what == updateEvt && (WindowPtr) event.message == gConsole)
        {
            SetPort(gConsole);
            _Update();
        }
        if (event.what != keyDown && event.what != autoKey)
            continue;
        c = (char) (event.message & charCodeMask);
        if (c == '\r' || c == 3)
            c = '\n';
        if (c == '\b')
        {
            if (gTyped == 0)
                continue;
            gTyped--;
        }
        else if (c == '\n' || gTyped < (short) sizeof gLine - 1)
            gLine[gTyped++] = c;
        else
            continue;
        _consolewrite(0, &c, 1);
    }
}

__attribute__((noinline, noclone))
long _consoleread(int fd, void* buffer, size_t count)
{
    size_t left;

    (void) fd;
    if (count == 0)
        return 0;
    if (!_Open())
        return 0;
    if (gTaken == gTyped)
        _TypeLine();
    left = (size_t) (gTyped - gTaken);
    if (left < count)
        count = left;
    memcpy(buffer, gLine + gTaken, count);
    gTaken += (short) count;
    return (long) count;
}
