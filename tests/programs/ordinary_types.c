/* ordinary_types.c: prototypes as sources of the 1990s have them. */

#include <Types.h>

typedef union { long whole; struct { short hi, lo; } half; unsigned char bytes[4]; } Split;
typedef enum { kSmall = 1, kLarge = 200 } __attribute__((packed)) Small;
typedef struct { unsigned ready : 1; unsigned mode : 3; signed int step : 4; unsigned rest : 8; } Flags;
typedef struct { char kind; double weight; short n; } Mixed;
typedef struct { long hi; unsigned long lo; } Wide;
typedef struct Node { struct Node *next; short n; } Node;
typedef struct { OSType type; short (*proc)(short); Fixed ratio; } Handler;

Str15 gNames[3];
short gGrid[3][4];
Handler gHandler;

Split Swapped(Split s)
{
    Split r;

    r.half.hi = s.half.lo;
    r.half.lo = s.half.hi;
    return r;
}

Small Other(Small s) { return s == kSmall ? kLarge : kSmall; }

Flags Turned(Flags f)
{
    f.step = -f.step;
    f.ready = !f.ready;
    return f;
}

Boolean IsHigh(unsigned char c) { return c & 0x80; }

short Longest(Str15 *names)
{
    short i, best = 0;

    for (i = 1; i < 3; i++)
        if (names[i][0] > names[best][0])
            best = i;
    return best;
}

long Trace(short grid[3][4])
{
    long sum = grid[0][0] + grid[1][1] + grid[2][2];

    grid[0][3] = sum;
    return sum;
}

short Pop(Node **list)
{
    Node *first = *list;

    *list = first->next;
    return first->n;
}

short Run(const Handler *h, short x) { return h->type == 0x61626364 ? h->proc(x) : -1; }
short RunOf(Handler h, short x) { return h.proc(x); }

Mixed Heavier(Mixed m, double more)
{
    m.weight += more;
    return m;
}

Wide Sum(Wide a, Wide b)
{
    Wide r;

    r.lo = a.lo + b.lo;
    r.hi = a.hi + b.hi + (r.lo < a.lo);
    return r;
}

OSType Reversed(OSType t)
{
    return t >> 24 | (t >> 8 & 0xff00) | (t << 8 & 0xff0000) | t << 24;
}

short Twice(short x) { return 2 * x; }

void *gKept[] = { Swapped, Other, Turned, IsHigh, Longest, Trace, Pop, Run, RunOf, Heavier, Sum,
                  Reversed, Twice };

void Go(void) { gGrid[0][0] = gHandler.ratio; gNames[0][0] = 0; }
