// segmented.cpp: an application of two segments. Second is in CODE 2, which is loaded by the first
// call through the second entry of the jump table, at 42(A5).

#include <Memory.h>
#include <Quickdraw.h>
#include <SegLoad.h>

static short gCalls;

__attribute__((section(".code00002"), used, retain)) static short Second(short number)
{
    short twice = (short) (number + number);

    return twice;
}

static short CallSecond(short number)
{
    register long result asm("d0") = number;

    asm volatile("move.l %%d0,-(%%sp)\n\tjsr %%a5@(42)\n\taddq.l #4,%%sp"
                 : "+d"(result)
                 :
                 : "d1", "a0", "a1", "cc", "memory");
    return (short) result;
}

int main()
{
    InitGraf(&qd.thePort);
    gCalls = CallSecond(20);
    gCalls = CallSecond(gCalls);
    return gCalls == 80 ? 0 : 1;
}
