// drawing.cpp: one window with everything that QuickDraw draws in one bit.

#include <Events.h>
#include <Fonts.h>
#include <Quickdraw.h>
#include <ToolUtils.h>
#include <Windows.h>

static const Pattern kStripes = {{ 0x80, 0x40, 0x20, 0x10, 0x08, 0x04, 0x02, 0x01 }};

static void _Shapes()
{
    Rect r;

    SetRect(&r, 10, 10, 60, 50);
    FillRect(&r, &kStripes);
    FrameRect(&r);

    OffsetRect(&r, 60, 0);
    FillOval(&r, &qd.ltGray);
    FrameOval(&r);

    OffsetRect(&r, 60, 0);
    PaintRoundRect(&r, 16, 16);
    InsetRect(&r, 8, 8);
    EraseOval(&r);

    SetRect(&r, 190, 10, 240, 50);
    PaintArc(&r, 0, 90);
    FrameArc(&r, 180, 90);
    SetRect(&r, 200, 20, 260, 40);
    InvertRect(&r);
}

static void _Lines()
{
    for (short i = 0; i <= 10; i++)
    {
        MoveTo(10 + 10 * i, 60);
        LineTo(110 - 10 * i, 110);
    }
    PenSize(3, 2);
    PenPat(&qd.gray);
    MoveTo(130, 60);
    Line(100, 50);
    Line(0, -40);
    PenNormal();
    PenMode(patXor);
    MoveTo(130, 110);
    LineTo(240, 60);
    PenNormal();
}

static void _Regions()
{
    RgnHandle ring = NewRgn(), hole = NewRgn();
    Rect r;

    OpenRgn();
    SetRect(&r, 10, 120, 90, 180);
    FrameOval(&r);
    CloseRgn(ring);
    SetRectRgn(hole, 40, 110, 60, 160);
    DiffRgn(ring, hole, ring);
    FillRgn(ring, &qd.gray);
    FrameRgn(ring);
    OffsetRgn(ring, 100, 0);
    SetClip(ring);
    SetRect(&r, 100, 120, 200, 150);
    FillRect(&r, &qd.black);
    SetRect(&r, -32000, -32000, 32000, 32000);
    ClipRect(&r);
    DisposeRgn(ring);
    DisposeRgn(hole);
}

static void _Text()
{
    TextFont(geneva);
    TextSize(9);
    MoveTo(10, 200);
    DrawString("\pPlain, ");
    TextFace(bold);
    DrawString("\pbold, ");
    TextFace(underline);
    DrawString("\punderlined");
    TextFace(normal);
    TextFont(systemFont);
    TextSize(12);
    TextMode(srcXor);
    MoveTo(150, 200);
    DrawText("0123456789", 2, 5);
    TextMode(srcOr);
}

int main()
{
    Rect bounds, part;

    InitGraf(&qd.thePort);
    InitFonts();
    InitWindows();
    InitCursor();
    SetRect(&bounds, 40, 60, 40 + 280, 60 + 220);
    WindowPtr window = NewWindow(NULL, &bounds, "\pDrawing", true, documentProc,
                                 (WindowPtr) -1L, false, 0);
    SetPort(window);

    _Shapes();
    _Lines();
    _Regions();
    _Text();

    SetRect(&part, 10, 10, 60, 50);
    Rect copy = part;
    OffsetRect(&copy, 210, 110);
    CopyBits(&window->portBits, &window->portBits, &part, &copy, srcCopy, NULL);

    RgnHandle update = NewRgn();
    SetRect(&part, 200, 150, 280, 190);
    ScrollRect(&part, 5, -7, update);
    DisposeRgn(update);

    while (!Button())
        ;
    DisposeWindow(window);
}
