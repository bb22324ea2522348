// disk.c: the game in a file.

#include "turncoat.h"

#include <Errors.h>
#include <Memory.h>

// FUNCTION: CODE 1+0xc20
unsigned short CheckSum(char* bytes, short count)
{
    unsigned short sum = 0;

    for (short index = 0; index < count; index++) {
        unsigned short turned = (unsigned short) (sum << 1) | (sum >> 15);
        sum = turned + (signed char) bytes[index];
    }
    return sum;
}

// FUNCTION: CODE 1+0xc60
OSErr OpenGame(short* file)
{
    ParamBlockRec block;

    block.ioParam.ioNamePtr = file_name;
    block.ioParam.ioVRefNum = 0;
    block.ioParam.ioVersNum = 0;
    block.ioParam.ioPermssn = fsCurPerm;
    block.ioParam.ioMisc = NULL;
    OSErr error = PBOpenSync(&block);
    *file = block.ioParam.ioRefNum;
    return error;
}

// FUNCTION: CODE 1+0xc9c
OSErr Transfer(short file, short writes, Ptr bytes, short count)
{
    ParamBlockRec block;

    block.ioParam.ioRefNum = file;
    block.ioParam.ioBuffer = bytes;
    block.ioParam.ioReqCount = count;
    block.ioParam.ioPosMode = fsAtMark;
    block.ioParam.ioPosOffset = 0;
    if (writes)
        return PBWriteSync(&block);
    return PBReadSync(&block);
}

// FUNCTION: CODE 1+0xce8
void CloseGame(short file)
{
    ParamBlockRec block;

    block.ioParam.ioRefNum = file;
    PBCloseSync(&block);
}

// FUNCTION: CODE 1+0xd0c
OSErr SaveGame(void)
{
    ParamBlockRec block;
    short file;

    block.ioParam.ioNamePtr = file_name;
    block.ioParam.ioVRefNum = 0;
    block.ioParam.ioVersNum = 0;
    PBCreateSync(&block);  // no matter if an older game is there
    OSErr error = OpenGame(&file);
    if (error)
        return error;

    short count = played * (short) sizeof(Turn);
    HLock((Handle) history);
    header = (Header) {'Turn', played, CheckSum((char*) *history, count)};
    error = Transfer(file, true, (Ptr) &header, sizeof header);
    if (!error)
        error = Transfer(file, true, (Ptr) *history, count);
    HUnlock((Handle) history);
    CloseGame(file);
    return error;
}

// FUNCTION: CODE 1+0xdd0
OSErr LoadGame(void)
{
    short file;

    OSErr error = OpenGame(&file);
    if (error)
        return error;

    played = 0;
    error = Transfer(file, false, (Ptr) &header, sizeof header);
    if (!error) {
        Boolean fits = header.played >= 0 && header.played <= LONGEST_GAME;
        if (header.magic != 'Turn' || !fits)
            error = paramErr;
    }
    if (!error) {
        short count = header.played * (short) sizeof(Turn);
        room = header.played + GROWTH;
        SetHandleSize((Handle) history, (long) room * sizeof(Turn));
        HLock((Handle) history);
        error = Transfer(file, false, (Ptr) *history, count);
        if (!error && CheckSum((char*) *history, count) == header.sum)
            played = header.played;
        HUnlock((Handle) history);
    }
    CloseGame(file);
    Replay();
    return error;
}
