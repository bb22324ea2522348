// rules.c: where a disc may be put, and what it does there.

#include "turncoat.h"

// FUNCTION: CODE 1+0x6c
Boolean OnBoard(Square at)
{
    return (unsigned short) at.row < EDGE && (unsigned short) at.col < EDGE;
}

// FUNCTION: CODE 1+0x8e
short Enclosed(Disc side, Square at, short way)
{
    const short* step = steps[way];

    for (short count = 0;; count++) {
        at.row += step[0];
        at.col += step[1];
        if (!OnBoard(at))
            return 0;
        Disc disc = board[at.row][at.col];
        if (disc == side)
            return count;
        if (disc == EMPTY)
            return 0;
    }
}

// FUNCTION: CODE 1+0x118
Boolean IsLegal(Disc side, Square at)
{
    Boolean legal = false;

    if (OnBoard(at) && board[at.row][at.col] == EMPTY)
        for (short way = 0; way < DIRECTIONS && !legal; way++)
            legal = Enclosed(side, at, way) != 0;
    return legal;
}

// FUNCTION: CODE 1+0x180
short Place(Disc side, Square at)
{
    short flips = 0;

    for (short way = 0; way < DIRECTIONS; way++) {
        short count = Enclosed(side, at, way);
        Square here = at;
        flips += count;
        while (count-- > 0) {
            here.row += steps[way][0];
            here.col += steps[way][1];
            board[here.row][here.col] = side;
        }
    }
    board[at.row][at.col] = side;
    return flips;
}

// FUNCTION: CODE 1+0x26c
short CountDiscs(Disc side)
{
    const Disc* square = board[0];
    short count = 0;

    for (short index = 0; index < SQUARES; index++)
        count += square[index] == side;
    return count;
}

// FUNCTION: CODE 1+0x2bc
short ListMoves(Disc side, Candidate* list)
{
    Candidate* next = list;

    for (short index = 0; index < SQUARES; index++) {
        Square at = {index / EDGE, index % EDGE};
        if (IsLegal(side, at)) {
            next->at = at;
            next->worth = weights[at.row][at.col];
            next++;
        }
    }
    return (short) (next - list);
}

// FUNCTION: CODE 1+0xee4
Boolean HasMove(Disc side)
{
    Candidate list[SQUARES];

    return ListMoves(side, list) != 0;
}

// FUNCTION: CODE 1+0x352
void SetUpBoard(void)
{
    for (short index = 0; index < SQUARES; index++)
        board[index / EDGE][index % EDGE] = EMPTY;
    board[3][3] = WHITE;
    board[3][4] = BLACK;
    board[4][3] = BLACK;
    board[4][4] = WHITE;
}
