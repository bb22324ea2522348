/* file_glue.c
 *
 * The File Manager's simple calls. On 68K they are no traps, only the calls
 * with parameter blocks are. A Power Macintosh has them to import too, but
 * doing the same there lets both make the same calls.
 */

#include <string.h>

#include <Files.h>

static void _Clear(ParamBlockRec* block, ConstStr255Param name, short volume)
{
    memset(block, 0, sizeof *block);
    block->ioParam.ioNamePtr = (StringPtr) name;
    block->ioParam.ioVRefNum = volume;
}

OSErr FSOpen(ConstStr255Param name, short volume, short* file)
{
    ParamBlockRec block;
    OSErr error;

    _Clear(&block, name, volume);
    block.ioParam.ioPermssn = fsCurPerm;
    error = PBOpenSync(&block);
    *file = block.ioParam.ioRefNum;
    return error;
}

OSErr FSClose(short file)
{
    ParamBlockRec block;

    _Clear(&block, NULL, 0);
    block.ioParam.ioRefNum = file;
    return PBCloseSync(&block);
}

OSErr FSRead(short file, long* count, void* buffer)
{
    ParamBlockRec block;
    OSErr error;

    _Clear(&block, NULL, 0);
    block.ioParam.ioRefNum = file;
    block.ioParam.ioBuffer = (Ptr) buffer;
    block.ioParam.ioReqCount = *count;
    error = PBReadSync(&block);
    *count = block.ioParam.ioActCount;
    return error;
}

OSErr FSWrite(short file, long* count, const void* buffer)
{
    ParamBlockRec block;
    OSErr error;

    _Clear(&block, NULL, 0);
    block.ioParam.ioRefNum = file;
    block.ioParam.ioBuffer = (Ptr) buffer;
    block.ioParam.ioReqCount = *count;
    error = PBWriteSync(&block);
    *count = block.ioParam.ioActCount;
    return error;
}

OSErr Create(ConstStr255Param name, short volume, OSType creator, OSType type)
{
    ParamBlockRec block;
    OSErr error;

    _Clear(&block, name, volume);
    error = PBCreateSync(&block);
    if (error != noErr)
        return error;
    error = PBGetFInfoSync(&block);
    if (error != noErr)
        return error;
    block.fileParam.ioFlFndrInfo.fdType = type;
    block.fileParam.ioFlFndrInfo.fdCreator = creator;
    return PBSetFInfoSync(&block);
}

OSErr FSDelete(ConstStr255Param name, short volume)
{
    ParamBlockRec block;

    _Clear(&block, name, volume);
    return PBDeleteSync(&block);
}

OSErr GetEOF(short file, long* end)
{
    ParamBlockRec block;
    OSErr error;

    _Clear(&block, NULL, 0);
    block.ioParam.ioRefNum = file;
    error = PBGetEOFSync(&block);
    *end = (long) block.ioParam.ioMisc;
    return error;
}

OSErr SetEOF(short file, long end)
{
    ParamBlockRec block;

    _Clear(&block, NULL, 0);
    block.ioParam.ioRefNum = file;
    block.ioParam.ioMisc = (Ptr) end;
    return PBSetEOFSync(&block);
}

OSErr GetFPos(short file, long* position)
{
    ParamBlockRec block;
    OSErr error;

    _Clear(&block, NULL, 0);
    block.ioParam.ioRefNum = file;
    error = PBGetFPosSync(&block);
    *position = block.ioParam.ioPosOffset;
    return error;
}

OSErr SetFPos(short file, short mode, long offset)
{
    ParamBlockRec block;

    _Clear(&block, NULL, 0);
    block.ioParam.ioRefNum = file;
    block.ioParam.ioPosMode = mode;
    block.ioParam.ioPosOffset = offset;
    return PBSetFPosSync(&block);
}

OSErr FlushVol(ConstStr255Param name, short volume)
{
    ParamBlockRec block;

    _Clear(&block, name, volume);
    return PBFlushVolSync(&block);
}
