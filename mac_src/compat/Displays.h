/* Displays.h: the Display Manager, of one screen. See Types.h for what these headers are. */

#ifndef COMPAT_DISPLAYS_H
#define COMPAT_DISPLAYS_H

#include "Types.h"
#include "AppleEvents.h"
#include "Processes.h"
#include "Quickdraw.h"
#include "Video.h"
#include "Windows.h"

typedef unsigned long DisplayIDType;
typedef void *AVPowerStatePtr;

enum { kDummyDeviceID = 0x00FF, kInvalidDisplayID = 0 };

#define kAESystemConfigNotice   ((OSType) 0x636E6667)   /* 'cnfg' */
#define kAEDisplayNotice        ((OSType) 0x64737079)   /* 'dspy' */
#define kAEDisplaySummary       ((OSType) 0x6473756D)   /* 'dsum' */

#include "absent/Displays.h"
#include "routines/Displays.h"

#endif
