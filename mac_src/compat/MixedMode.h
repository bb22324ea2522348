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


typedef unsigned long ProcInfoType;
typedef unsigned short CallingConventionType, RegisterSelectorType, RoutineFlagsType;
typedef SignedByte ISAType;
typedef RoutineRecord *RoutineRecordPtr, **RoutineRecordHandle;
typedef RoutineDescriptor *RoutineDescriptorPtr, **RoutineDescriptorHandle;

enum
{
    kPascalStackBased = 0, kCStackBased = 1, kRegisterBased = 2, kThinkCStackBased = 5,
    kD0DispatchedPascalStackBased = 8, kD1DispatchedPascalStackBased = 12,
    kD0DispatchedCStackBased = 9, kStackDispatchedPascalStackBased = 14, kSpecialCase = 15
};
enum
{
    kSpecialCaseHighHook = 0, kSpecialCaseCaretHook = 0, kSpecialCaseEOLHook = 1,
    kSpecialCaseWidthHook = 2, kSpecialCaseTextWidthHook = 2, kSpecialCaseNWidthHook = 3,
    kSpecialCaseDrawHook = 4, kSpecialCaseHitTestHook = 5, kSpecialCaseTEFindWord = 6,
    kSpecialCaseProtocolHandler = 7, kSpecialCaseSocketListener = 8, kSpecialCaseTERecalc = 9,
    kSpecialCaseTEDoText = 10, kSpecialCaseGNEFilterProc = 11, kSpecialCaseMBarHook = 12
};
enum { kNoByteCode = 0, kOneByteCode = 1, kTwoByteCode = 2, kFourByteCode = 3 };
enum
{
    kRegisterD0 = 0, kRegisterD1 = 1, kRegisterD2 = 2, kRegisterD3 = 3, kRegisterA0 = 4,
    kRegisterA1 = 5, kRegisterA2 = 6, kRegisterA3 = 7, kRegisterD4 = 8, kRegisterD5 = 9,
    kRegisterD6 = 10, kRegisterD7 = 11, kRegisterA4 = 12, kRegisterA5 = 13, kRegisterA6 = 14
};
enum { kM68kISA = 0, kPowerPCISA = 1, kOld68kRTA = 0, kPowerPCRTA = 0, kCFM68kRTA = 0x10 };

#ifdef __powerpc__
enum { kCurrentISA = 1 };
#else
enum { kCurrentISA = 0 };
#endif
#define GetCurrentISA()         ((ISAType) kCurrentISA)
#define GetCurrentArchitecture() GetCurrentISA()

enum { kRoutineDescriptorVersion = 7, kCallingConventionWidth = 4, kStackParameterPhase = 6,
       kStackParameterWidth = 2, kResultSizePhase = 4, kResultSizeWidth = 2,
       kRegisterResultLocationPhase = 6, kRegisterResultLocationWidth = 5,
       kRegisterParameterPhase = 11, kRegisterParameterWidth = 5 };
enum { kSelectorsAreNotIndexable = 0, kSelectorsAreIndexable = 1 };
enum { kProcDescriptorIsAbsolute = 0, kProcDescriptorIsRelative = 1, kFragmentIsPrepared = 0,
       kFragmentNeedsPreparing = 2, kUseCurrentISA = 0, kUseNativeISA = 4, kPassSelector = 0,
       kDontPassSelector = 8, kRoutineIsNotDispatchedDefaultRoutine = 0,
       kRoutineIsDispatchedDefaultRoutine = 16 };

#define SIZE_CODE(size) \
    ((size) == 4 ? kFourByteCode : (size) == 2 ? kTwoByteCode : (size) == 1 ? kOneByteCode : 0)
#define RESULT_SIZE(code)                       ((ProcInfoType) (code) << 4)
#define STACK_ROUTINE_PARAMETER(which, code)    ((ProcInfoType) (code) << (4 + 2 * (which)))
#define REGISTER_RESULT_LOCATION(where)         ((ProcInfoType) (where) << 6)
#define REGISTER_ROUTINE_PARAMETER(which, where, code) \
    (((ProcInfoType) (code) << (11 + 5 * ((which) - 1))) \
     | ((ProcInfoType) (where) << (13 + 5 * ((which) - 1))))
#define SPECIAL_CASE_PROCINFO(which)            (kSpecialCase | ((ProcInfoType) (which) << 4))

/* A descriptor that a program has in its own data. It leads to a transition
 * vector, which this compiler does not make for a procedure: in C the macro
 * makes it beside the descriptor, which has to stand outside of functions.
 * A 68K Macintosh has no descriptors.
 */

#ifdef __powerpc__
#ifdef __cplusplus
#define MACPROOF_VECTOR(procedure) _TransitionVector((ProcPtr) (procedure))
#else
#define MACPROOF_VECTOR(procedure) ((ProcPtr) (const void*[2]) { (const void*) (procedure), 0 })
#endif
#define BUILD_ROUTINE_DESCRIPTOR(info, procedure)                                       \
    {                                                                                   \
        0xAAFE, kRoutineDescriptorVersion, kSelectorsAreNotIndexable, 0, 0, 0, 0,       \
        { (info), 0, kCurrentISA, kUseNativeISA, MACPROOF_VECTOR(procedure), 0, 0 }     \
    }
#else
#define BUILD_ROUTINE_DESCRIPTOR(info, procedure) \
    { BUILD_ROUTINE_DESCRIPTOR_is_for_PowerPC_alone_call_NewRoutineDescriptor }
#endif

UniversalProcPtr NewRoutineDescriptor(ProcPtr procedure, ProcInfoType info, SignedByte isa);
void DisposeRoutineDescriptor(UniversalProcPtr procedure);
long CallUniversalProc(UniversalProcPtr procedure, ProcInfoType info, ...);

#if defined(__powerpc__) && defined(__cplusplus)
/* Under another name, for Memory.h declares it, and includes this. */
Ptr _NewVector(Size byteCount) __asm__("NewPtrClear");

static inline ProcPtr _TransitionVector(ProcPtr procedure)
{
    const void** vector = (const void**) _NewVector(2 * sizeof *vector);

    if (vector != 0)
        vector[0] = (const void*) procedure;
    return (ProcPtr) vector;
}
#endif

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "absent/MixedMode.h"

#endif
