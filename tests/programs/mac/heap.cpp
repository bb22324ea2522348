// heap.cpp: blocks that move, blocks that do not, and what is kept of them.

#include <Memory.h>
#include <Resources.h>
#include <stdio.h>
#include <string.h>

enum { kHandles = 20 };

int main()
{
    Handle all[kHandles];

    for (int i = 0; i < kHandles; i++)
    {
        all[i] = NewHandle(10 + i);
        memset(*all[i], i, 10 + i);
    }

    // a locked block stays where it is whatever the others do

    HLock(all[7]);
    char* fixed = *all[7];
    for (int i = 0; i < kHandles; i += 2)
        DisposeHandle(all[i]);
    for (int i = 1; i < kHandles; i += 2)
        SetHandleSize(all[i], 1000 + i);
    printf("locked: %s\n", *all[7] == fixed ? "stayed" : "moved");
    HUnlock(all[7]);

    int right = 0;
    for (int i = 1; i < kHandles; i += 2)
    {
        int same = 0;
        for (int j = 0; j < 10 + i; j++)
            same += (*all[i])[j] == i;
        right += same == 10 + i && GetHandleSize(all[i]) == 1000 + i;
    }
    printf("right: %d\n", right);

    Ptr cleared = NewPtrClear(100);
    int sum = 0;
    for (int i = 0; i < 100; i++)
        sum += cleared[i];
    printf("cleared: %d, size %ld\n", sum, GetPtrSize(cleared));
    DisposePtr(cleared);

    Handle copy = all[1];
    printf("copied: %d", HandToHand(&copy));
    printf(" %d %ld\n", copy != all[1], GetHandleSize(copy));
    printf("joined: %d", PtrAndHand("tail", copy, 4));
    printf(" %.4s\n", *copy + GetHandleSize(copy) - 4);

    printf("too much: %d", NewPtr(0x7ffffff) == NULL);
    printf(" %d\n", MemError());

    Handle text = GetResource(0x54455854, 128);         // 'TEXT'
    printf("resource: %.*s, %d\n", (int) GetHandleSize(text), *text, ResError());
    printf("missing: %d\n", GetResource(0x54455854, 129) == NULL);
}
