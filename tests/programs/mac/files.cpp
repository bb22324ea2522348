// files.cpp: the File Manager's calls.

#include <Files.h>
#include <stdio.h>
#include <string.h>

static const OSType kText = 0x54455854, kCreator = 0x3f3f3f3f;      // 'TEXT', '????'

int main()
{
    short file;
    long count, size, position;
    char buffer[40];

    printf("open: %d\n", FSOpen("\pnothing", 0, &file));
    printf("create: %d\n", Create("\pdata", 0, kCreator, kText));
    printf("again: %d\n", Create("\pdata", 0, kCreator, kText));
    printf("open: %d\n", FSOpen("\pdata", 0, &file));

    count = 26;
    printf("write: %d", FSWrite(file, &count, "abcdefghijklmnopqrstuvwxyz"));
    printf(" %ld\n", count);
    GetEOF(file, &size);
    GetFPos(file, &position);
    printf("size %ld, at %ld\n", size, position);

    SetFPos(file, fsFromStart, 10);
    count = 5;
    OSErr error = FSRead(file, &count, buffer);
    printf("read: %d %ld %.5s\n", error, count, buffer);

    SetFPos(file, fsFromLEOF, -3);
    count = 10;
    error = FSRead(file, &count, buffer);
    printf("read: %d %ld %.3s\n", error, count, buffer);

    SetFPos(file, fsFromStart, 2);
    count = 2;
    FSWrite(file, &count, "XY");
    SetEOF(file, 6);
    SetFPos(file, fsFromStart, 0);
    count = 10;
    error = FSRead(file, &count, buffer);
    printf("read: %d %ld %.6s\n", error, count, buffer);

    printf("before: %d\n", SetFPos(file, fsFromStart, -1));
    printf("close: %d\n", FSClose(file));
    printf("closed: %d\n", FSClose(file));
    printf("delete: %d\n", FSDelete("\pdata", 0));
    printf("gone: %d\n", FSOpen("\pdata", 0, &file));
}
