/* MixedMode.h: procedures of the program that the Toolbox calls. */

#ifndef MAC_MIXEDMODE_H
#define MAC_MIXEDMODE_H

#include <Types.h>

#include "records/MixedMode.h"

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

/* On a 68K Macintosh the Toolbox calls with Pascal's convention, on a Power
 * Macintosh as native code does, through a routine descriptor. A compiler
 * without "pascal" functions can make neither, so every procedure that is
 * given away needs NewRoutineDescriptor, on both. What a procedure takes
 * and gives is told as in Apple's MixedMode.h. A Point is a long to it:
 * procedures take it as one, and no other records by value.
 */

typedef ProcPtr UniversalProcPtr;
typedef unsigned long ProcInfoType;

enum { kPascalStackBased = 0 };
enum { kNoByteCode = 0, kOneByteCode = 1, kTwoByteCode = 2, kFourByteCode = 3 };

#define SIZE_CODE(size) \
    ((size) == 4 ? kFourByteCode : (size) == 2 ? kTwoByteCode : (size) == 1 ? kOneByteCode : 0)
#define RESULT_SIZE(code)                       ((ProcInfoType) (code) << 4)
#define STACK_ROUTINE_PARAMETER(which, code)    ((ProcInfoType) (code) << (4 + 2 * (which)))

UniversalProcPtr NewRoutineDescriptor(ProcPtr procedure, ProcInfoType info, SignedByte isa);
void DisposeRoutineDescriptor(UniversalProcPtr procedure);

enum { kCurrentISA = 0 };

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#endif
