/* CodeFragments.h: the Code Fragment Manager. See Types.h for what these headers are. */

#ifndef COMPAT_CODEFRAGMENTS_H
#define COMPAT_CODEFRAGMENTS_H

#include <Types.h>
#include <Files.h>
#include <MixedMode.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

typedef long                    CFragConnectionID, ConnectionID, CFragClosureID;
typedef unsigned char           SymClass, CFragSymbolClass;
typedef unsigned long           CFragLoadOptions, LoadFlags;
typedef OSType                  CFragArchitecture;

enum { kPowerPCArch = 'pwpc', kMotorola68KArch = 'm68k', kPowerPCCFragArch = 'pwpc',
       kMotorola68KCFragArch = 'm68k', kAnyCFragArch = 0x3F3F3F3F };
#ifdef __powerpc__
enum { kCompiledCFragArch = 'pwpc' };
#else
enum { kCompiledCFragArch = 'm68k' };
#endif
enum { kLoadLib = 1, kFindLib = 2, kLoadNewCopy = 5, kReferenceCFrag = 1, kFindCFrag = 2,
       kPrivateCFragCopy = 5 };
enum { kCodeSymbol = 0, kDataSymbol = 1, kTVectSymbol = 2, kTOCSymbol = 3, kGlueSymbol = 4,
       kCodeCFragSymbol = 0, kDataCFragSymbol = 1, kTVectorCFragSymbol = 2, kTOCCFragSymbol = 3,
       kGlueCFragSymbol = 4 };
enum { kMemoryCFragLocator = 0, kDataForkCFragLocator = 1, kResourceCFragLocator = 2,
       kInMem = 0, kOnDiskFlat = 1, kOnDiskSegmented = 2, kCFragResourceType = 'cfrg',
       kCFragResourceID = 0, kWholeFork = 0, kCFragGoesToEOF = 0 };

typedef struct MemFragment { Ptr address; long length; Boolean inPlace; } MemFragment;
typedef struct DiskFragment { FSSpec* fileSpec; long offset, length; } DiskFragment;
typedef struct SegmentedFragment { FSSpec* fileSpec; OSType rsrcType; short rsrcID; } SegmentedFragment;
typedef struct FragmentLocator
{
    long where;
    union { MemFragment inMem; DiskFragment onDisk; SegmentedFragment inSegs; } u;
} FragmentLocator, *FragmentLocatorPtr;
typedef struct InitBlock
{
    long contextID, closureID, connectionID;
    FragmentLocator fragLocator;
    Ptr libName;
    long reserved4a, reserved4b, reserved4c, reserved4d;
} InitBlock, *InitBlockPtr, CFragInitBlock, *CFragInitBlockPtr;

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "routines/CodeFragments.h"

#endif
