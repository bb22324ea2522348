// picture.c: the window.

#include "turncoat.h"

#include <Packages.h>

// FUNCTION: CODE 1+0x938
void SquareBox(Square at, Rect* box)
{
    short left = at.col * CELL + MARGIN;
    short top = at.row * CELL + MARGIN;

    SetRect(box, left, top, left + CELL + 1, top + CELL + 1);
}

// FUNCTION: CODE 1+0x988
Boolean FindSquare(Point where, Square* at)
{
    short down = where.v - MARGIN;
    short right = where.h - MARGIN;

    at->row = down / CELL;
    at->col = right / CELL;
    return down >= 0 && right >= 0 && OnBoard(*at);
}

// FUNCTION: CODE 1+0x9f0
void DrawSquare(Square at)
{
    Rect box;

    SquareBox(at, &box);
    EraseRect(&box);
    FrameRect(&box);
    InsetRect(&box, 3, 3);
    switch (board[at.row][at.col]) {
    case BLACK:
        PaintOval(&box);
        break;
    case WHITE:
        FrameOval(&box);
        break;
    }
}

// FUNCTION: CODE 1+0xa74
void AppendText(StringPtr text, StringPtr more)
{
    short length = text[0];

    for (short index = 1; index <= more[0] && length < 255; index++)
        text[++length] = more[index];
    text[0] = length;
}

// FUNCTION: CODE 1+0xac2
void AppendScore(Disc side)
{
    Str255 number;

    AppendText(line, names[side != BLACK]);
    AppendText(line, (StringPtr) "\p ");
    NumToString(CountDiscs(side), number);
    AppendText(line, number);
}

// FUNCTION: CODE 1+0xb36
void DrawScore(void)
{
    Rect box;
    short bottom = MARGIN + EDGE * CELL + 4;

    SetRect(&box, MARGIN, bottom, MARGIN + EDGE * CELL, bottom + TEXT_ROOM);
    EraseRect(&box);
    line[0] = 0;
    if (over)
        AppendText(line, (StringPtr) "\pThe end.  ");
    AppendScore(BLACK);
    AppendText(line, (StringPtr) "\p, ");
    AppendScore(WHITE);
    MoveTo(box.bottom - 6, box.left + 4);
    DrawString(line);
}

// FUNCTION: CODE 1+0xbce
void DrawBoard(void)
{
    for (short row = 0; row < EDGE; row++)
        for (short col = 0; col < EDGE; col++) {
            Square at = {row, col};
            DrawSquare(at);
        }
    DrawScore();
}
