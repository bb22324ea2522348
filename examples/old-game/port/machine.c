// machine.c: how the machine chooses its move.

#include "turncoat.h"

#include <Memory.h>

// FUNCTION: CODE 1+0x3c2
short CompareMoves(Candidate* one, Candidate* other)
{
    return other->worth - one->worth;
}

// FUNCTION: CODE 1+0x3ea
void SortMoves(Candidate* list, short count, Comparison compare)
{
    if (count < 2)
        return;

    Candidate middle = list[count / 2];
    Candidate* low = list;
    Candidate* high = list + (count - 1);
    while (low <= high) {
        while (compare(low, &middle) < 0)
            low++;
        while (compare(high, &middle) > 0)
            high--;
        if (low <= high) {
            Candidate other = *low;
            *low++ = *high;
            *high-- = other;
        }
    }
    short left = (short) (high - list) + 1;
    short right = (short) (low - list);
    SortMoves(list, left, compare);
    SortMoves(low, count - right, compare);
}

// FUNCTION: CODE 1+0x4da
short Worth(Disc side)
{
    Disc sum = 0;

    for (short row = 0; row < EDGE; row++)
        for (short col = 0; col < EDGE; col++) {
            Disc disc = board[row][col];
            if (disc != EMPTY)
                sum += disc == side ? weights[row][col] : -weights[row][col];
        }
    return sum;
}

// FUNCTION: CODE 1+0x546
short Search(Disc side, short depth, short least, short most)
{
    Candidate list[SQUARES];
    Disc before[SQUARES];

    positions++;
    if (depth == 0)
        return Worth(side);

    short count = ListMoves(side, list);
    if (count == 0 && ListMoves(-side, list) != 0)
        return -Search(-side, depth - 1, -most, -least);
    if (count == 0) {
        short lead = CountDiscs(side) - CountDiscs(-side);
        if (lead == 0)
            return 0;
        return lead < 0 ? -CERTAIN : CERTAIN;
    }

    SortMoves(list, count, CompareMoves);
    BlockMove((Ptr) board, (Ptr) before, SQUARES);
    for (Candidate* move = list; move < list + count && least < most; move++) {
        Place(side, move->at);
        short worth = -Search(-side, depth - 1, -most, -least);
        BlockMove((Ptr) before, (Ptr) board, SQUARES);
        least = worth > least ? worth : least;
    }
    return least;
}

// FUNCTION: CODE 1+0x6ce
short Chance(short limit)
{
    seed = 25173u * seed + 13849u;
    return (seed >> 4) % limit;
}

// FUNCTION: CODE 1+0x702
Boolean ChooseMove(Disc side, Square* best)
{
    Candidate list[SQUARES];
    Disc before[SQUARES];
    short equal = 0;
    short most = -CERTAIN - 1;

    positions = 0;
    short count = ListMoves(side, list);
    BlockMove((Ptr) board, (Ptr) before, SQUARES);
    for (short index = 0; index < count; index++) {
        Square at = list[index].at;
        Place(side, at);
        short worth = -Search(-side, DEPTH, -CERTAIN, CERTAIN);
        BlockMove((Ptr) before, (Ptr) board, SQUARES);
        if (worth < most)
            continue;
        if (worth > most)
            equal = 0;
        most = worth;
        if (Chance(++equal) == 0)
            *best = at;
    }
    return count != 0;
}
