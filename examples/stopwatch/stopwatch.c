/* A stopwatch that keeps the five best laps. The Toolbox tells the time and moves the laps. */

#include <Events.h>
#include <Memory.h>

enum { kMostKept = 5 };

long gBest[kMostKept];          /* in ticks, the best first */
short gBestCount;

static void Keep(long lap)
{
    short place = 0, behind;

    while (place < gBestCount && gBest[place] <= lap)
        place++;
    if (place == kMostKept)
        return;
    if (gBestCount < kMostKept)
        gBestCount++;
    behind = gBestCount - place - 1;
    BlockMove(&gBest[place], &gBest[place + 1], behind * sizeof(long));
    gBest[place] = lap;
}

void TimeLaps(short laps)
{
    unsigned long start = TickCount();

    gBestCount = 0;
    while (laps-- > 0) {
        unsigned long now = TickCount();
        Keep(now - start);      /* is right even if the count begins again at 0 in between */
        start = now;
    }
}
