/* SegmentLdr.h: another name of SegLoad.h. Made by docs/generate.py. */

#ifndef COMPAT_SEGMENTLDR_H
#define COMPAT_SEGMENTLDR_H

#include "SegLoad.h"

#endif
