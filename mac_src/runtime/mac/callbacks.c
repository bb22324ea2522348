/* callbacks.c: see MixedMode.h. */

#include <Memory.h>
#include <MixedMode.h>

#ifdef __m68k__

#pragma pack(push, 2)

typedef struct Descriptor
{
    short           call;           /* JSR */
    void            (*entry)(void);
    ProcPtr         procedure;
    ProcInfoType    info;
} Descriptor;

#pragma pack(pop)

enum { kJSR = 0x4EB9 };

extern void _pascal_to_c(void);
extern void _registers_to_c(void);
extern void _c_to_c(void);
extern void _flush_code(void);

static void (*_Entry(ProcInfoType info))(void)
{
    switch (info & 0xF)
    {
    case kRegisterBased:    return _registers_to_c;
    case kCStackBased:      return _c_to_c;
    case kSpecialCase:      return SpecialCaseProc;     /* whose call ends the run */
    default:                return _pascal_to_c;
    }
}

UniversalProcPtr NewRoutineDescriptor(ProcPtr procedure, ProcInfoType info, SignedByte isa)
{
    Descriptor* made = (Descriptor*) NewPtr(sizeof *made);

    (void) isa;
    if (made == NULL)
        return NULL;
    made->call = kJSR;
    made->entry = _Entry(info);
    made->procedure = procedure;
    made->info = info;
    _flush_code();
    return made;
}

#else

/* The Mixed Mode Manager's own routine descriptor, for one routine. */

#pragma pack(push, 2)

typedef struct Descriptor
{
    unsigned short  goMixedModeTrap;
    SignedByte      version;
    SignedByte      flags;
    long            reserved1;
    Byte            reserved2;
    Byte            selectorInfo;
    short           routineCount;       /* less one */

    ProcInfoType    procInfo;
    Byte            reserved3;
    Byte            isa;
    unsigned short  routineFlags;
    const void*     procedure;
    long            reserved4;
    long            selector;

    const void*     vector[2];          /* what it leads to: code, contents */
} Descriptor;

#pragma pack(pop)

enum
{
    kMixedModeTrap = 0xAAFE,
    kVersion = 7,
    kPowerPC = 1,
    kUseNative = 4
};

UniversalProcPtr NewRoutineDescriptor(ProcPtr procedure, ProcInfoType info, SignedByte isa)
{
    Descriptor* made = (Descriptor*) NewPtrClear(sizeof *made);

    (void) isa;
    if (made == NULL)
        return NULL;
    made->goMixedModeTrap = kMixedModeTrap;
    made->version = kVersion;
    made->procInfo = info;
    made->isa = kPowerPC;
    made->routineFlags = kUseNative;
    made->procedure = made->vector;
    made->vector[0] = procedure;
    return made;
}

#endif

void DisposeRoutineDescriptor(UniversalProcPtr procedure)
{
    if (procedure != NULL)
        DisposePtr((Ptr) procedure);
}
