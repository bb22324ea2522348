/* DeviceMgr.h: the name that THINK C once had for Devices.h. */

#include <Devices.h>
