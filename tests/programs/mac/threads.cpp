// threads.cpp: two threads and the program take turns. One is stopped for a
// while, one ends by itself and one is disposed of, and numbers in registers
// stay with the thread that they belong to.

#include <Memory.h>
#include <Threads.h>
#include <stdio.h>

static ThreadID gFirst, gSecond;
static char gOrder[64];
static int gLength, gEntered, gLeft, gEnded;

static void _Note(char c)
{
    if (gLength < 63)
        gOrder[gLength++] = c;
}

static pascal void* _Count(void* argument)
{
    long step = (long) argument;
    long sum = 0;
    double half = (double) step / 2;

    for (int i = 0; i < 3; i++)
    {
        _Note((char) ('a' + step));
        sum += step;
        half += 0.25;
        YieldToAnyThread();
    }
    return (void*) (sum * 100 + (long) (half * 4));
}

static pascal void _Entered(ThreadID thread, void* argument)
{
    gEntered += thread == gFirst && argument == &gOrder;
}

static pascal void _Left(ThreadID thread, void* argument)
{
    gLeft += thread == gFirst && argument == &gOrder;
}

static pascal void _Ended(ThreadID thread, void* argument)
{
    gEnded += thread == gSecond && argument == 0;
}

int main(void)
{
    void* first = 0;
    void* second = 0;
    ThreadState state;
    ThreadID current;
    ThreadEntryUPP entry = NewThreadEntryProc(_Count);

    NewThread(kCooperativeThread, entry, (void*) 1, 0, 0, &first, &gFirst);
    NewThread(kCooperativeThread, entry, (void*) 2, 8192, kNewSuspend, &second,
              &gSecond);
    SetThreadSwitcher(gFirst, NewThreadSwitchProc(_Entered), &gOrder, true);
    SetThreadSwitcher(gFirst, NewThreadSwitchProc(_Left), &gOrder, false);
    SetThreadTerminator(gSecond, NewThreadTerminationProc(_Ended), 0);
    _Note('-');
    YieldToAnyThread();
    _Note('-');
    SetThreadState(gSecond, kReadyThreadState, kNoThreadID);
    YieldToThread(gSecond);
    _Note('-');
    GetThreadState(gFirst, &state);
    printf("first %d\n", state);
    while (GetThreadState(gFirst, &state) == noErr)
        YieldToAnyThread();
    _Note('-');
    GetCurrentThread(&current);
    printf("%s main %d\n", gOrder, current == kApplicationThreadID);
    printf("%ld %d %d\n", (long) first, gEntered, gLeft);
    printf("%d ", DisposeThread(gSecond, (void*) 7, false));
    printf("%ld ended %d\n", (long) second, gEnded);
    printf("%d ", YieldToThread(gSecond));
    printf("%d\n", YieldToAnyThread());
    printf("%d\n", NewThread(kPreemptiveThread, entry, 0, 0, 0, 0, &gFirst));
    return 0;
}
