// history.c: the moves of the game, in a block that grows.

#include "turncoat.h"

#include <Memory.h>

// FUNCTION: CODE 1+0x808
void Remember(Disc side, Square at, short flips)
{
    if (played == room) {
        room += GROWTH;
        SetHandleSize((Handle) history, (long) room * sizeof(Turn));
    }
    Turn* turn = *history + played;
    turn->at = at;
    turn->side = side;
    turn->flips = flips;
    played++;
}

// FUNCTION: CODE 1+0x874
void Replay(void)
{
    SetUpBoard();
    for (short index = 0; index < played; index++) {
        Turn turn = (*history)[index];
        Place(turn.side, turn.at);
    }
    over = false;
}

// FUNCTION: CODE 1+0x8de
void TakeBack(void)
{
    while (played > 1) {
        played--;
        if ((*history)[played].side == BLACK)
            break;
    }
    Replay();
}
