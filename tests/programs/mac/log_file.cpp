// log_file.cpp: writes a line to a file with the lowest-level calls there are.

#include <Files.h>

static int _Write(const char* text, long count)
{
    HParamBlockRec create, open;
    ParamBlockRec block;

    for (int i = 0; i < (int) sizeof create; i++)
        ((char*) &create)[i] = ((char*) &open)[i] = 0;
    for (int i = 0; i < (int) sizeof block; i++)
        ((char*) &block)[i] = 0;

    create.fileParam.ioNamePtr = (StringPtr) "\plog";
    OSErr error = PBHCreateSync(&create);
    if (error != noErr && error != dupFNErr)
        return 0;

    open.ioParam.ioNamePtr = (StringPtr) "\plog";
    open.ioParam.ioPermssn = fsRdWrPerm;
    if (PBHOpenSync(&open) != noErr)
        return 0;

    block.ioParam.ioRefNum = open.ioParam.ioRefNum;
    block.ioParam.ioBuffer = (Ptr) text;
    block.ioParam.ioReqCount = count;
    block.ioParam.ioPosMode = fsFromLEOF;
    error = PBWriteSync(&block);
    PBCloseSync(&block);
    return error == noErr;
}

int main()
{
    if (_Write("OK\r", 3))
        _Write("and more\r", 9);
    return 0;
}
