/* Threads.h: the Thread Manager. See Types.h for what these headers are. */

#ifndef COMPAT_THREADS_H
#define COMPAT_THREADS_H

#include <Types.h>
#include <Files.h>
#include <MixedMode.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

typedef unsigned long   ThreadID;
typedef unsigned short  ThreadState;
typedef unsigned long   ThreadStyle, ThreadOptions;
typedef Ptr             ThreadTaskRef;

enum { kReadyThreadState = 0, kStoppedThreadState, kRunningThreadState };
enum { kCooperativeThread = 1, kPreemptiveThread = 2 };
enum { kNewSuspend = 1, kUsePremadeThread = 2, kCreateIfNeeded = 4, kFPUNotNeeded = 8,
       kExactMatchThread = 16 };
enum { kNoThreadID = 0, kCurrentThreadID = 1, kApplicationThreadID = 2 };

typedef struct SchedulerInfoRec { unsigned long InfoRecSize; ThreadID CurrentThreadID, SuggestedThreadID, InterruptedCoopThreadID; } SchedulerInfoRec, *SchedulerInfoRecPtr;
typedef ProcPtr DebuggerNewThreadProcPtr, DebuggerDisposeThreadProcPtr, DebuggerThreadSchedulerProcPtr;

#include "callbacks/Threads.h"

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "routines/Threads.h"

#endif
