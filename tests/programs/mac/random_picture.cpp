// random_picture.cpp: random numbers, recorded as a picture and drawn twice.

#include <Events.h>
#include <Fonts.h>
#include <Quickdraw.h>
#include <Windows.h>
#include <stdio.h>

static short _Below(short limit)
{
    return (short) ((Random() & 0x7fff) % limit);
}

int main()
{
    Rect bounds, frame;

    InitGraf(&qd.thePort);
    InitFonts();
    InitWindows();
    InitCursor();
    qd.randSeed = 1994;
    SetRect(&bounds, 20, 60, 20 + 240, 60 + 120);
    WindowPtr window = NewWindow(NULL, &bounds, "\pRandom", true, documentProc,
                                 (WindowPtr) -1L, false, 0);
    SetPort(window);

    SetRect(&frame, 0, 0, 120, 120);
    ClipRect(&frame);
    PicHandle picture = OpenPicture(&frame);
    for (int i = 0; i < 40; i++)
    {
        Rect r;
        short left = _Below(100);
        short top = _Below(100);
        short width = 5 + _Below(15);
        short height = 5 + _Below(15);

        SetRect(&r, left, top, left + width, top + height);
        if ((Random() & 1) != 0)
            FrameRect(&r);
        else
            PaintOval(&r);
    }
    ClosePicture();
    DrawPicture(picture, &frame);

    SetRect(&frame, 120, 0, 240, 120);
    ClipRect(&frame);
    DrawPicture(picture, &frame);
    KillPicture(picture);

    while (!Button())
        ;
    DisposeWindow(window);
    printf("seed %ld\n", qd.randSeed);
}
