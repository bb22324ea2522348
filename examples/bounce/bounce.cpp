/*
 * Balls that bounce off the two walls of a room: the routine of the worked example in
 * docs/cases.md. Small on purpose, and none of anybody's.
 */

enum
{
    kMaxBalls = 64,
    kRoomWidth = 512 // pixels; balls are at 0 .. kRoomWidth - 1
};

struct ball
{
    short x;
    short dx; // pixels in one step
};

ball gBalls[kMaxBalls];
short gBallCount;
short gBounceCount;

/* Moves every ball one step. A ball that would leave the room turns round at the wall. */
void MoveBalls()
{
    gBounceCount = 0;
    for (short i = 0; i < gBallCount; ++i)
    {
        ball* b = &gBalls[i];
        b->x += b->dx;
        if (b->x >= 0 && b->x < kRoomWidth)
            continue;
        b->x = b->x < 0 ? -b->x : 2 * (kRoomWidth - 1) - b->x;
        b->dx = -b->dx;
        ++gBounceCount;
    }
}
