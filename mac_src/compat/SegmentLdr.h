/* SegmentLdr.h: the name that THINK C once had for SegLoad.h. */

#include <SegLoad.h>
