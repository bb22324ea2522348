/* Components.h: the Component Manager. See Types.h for what these headers are. */

#ifndef COMPAT_COMPONENTS_H
#define COMPAT_COMPONENTS_H

#include <Types.h>
#include <Memory.h>
#include <MixedMode.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

typedef struct ComponentRecord          { long data[1]; } ComponentRecord, *Component;
typedef struct ComponentInstanceRecord  { long data[1]; } ComponentInstanceRecord, *ComponentInstance;
typedef long ComponentResult;
typedef unsigned long CSComponentsThreadMode;

typedef struct ComponentDescription
{
    OSType componentType, componentSubType, componentManufacturer;
    unsigned long componentFlags, componentFlagsMask;
} ComponentDescription;

typedef struct ResourceSpec { OSType resType; short resID; } ResourceSpec;

typedef struct ComponentResource
{
    ComponentDescription cd;
    ResourceSpec component, componentName, componentInfo, componentIcon;
} ComponentResource, *ComponentResourcePtr, **ComponentResourceHandle;

typedef struct ComponentParameters
{
    unsigned char flags, paramSize;
    short what;
    long params[1];
} ComponentParameters;

enum { kAnyComponentType = 0, kAnyComponentSubType = 0, kAnyComponentManufacturer = 0,
       kAnyComponentFlagsMask = 0 };
enum { kComponentOpenSelect = -1, kComponentCloseSelect = -2, kComponentCanDoSelect = -3,
       kComponentVersionSelect = -4, kComponentRegisterSelect = -5, kComponentTargetSelect = -6,
       kComponentUnregisterSelect = -7 };
enum { cmpWantsRegisterMessage = (long) 0x80000000, cmpIsMissing = 1 << 29 };
enum { registerComponentGlobal = 1, registerComponentNoDuplicates = 2,
       registerComponentAfterExisting = 4 };
enum { componentResourceType = 'thng' };

#include "callbacks/Components.h"

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "routines/Components.h"

#include "absent/Components.h"

#endif
