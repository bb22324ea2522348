/* SCSIMgr.h: the name that THINK C once had for SCSI.h. */

#include <SCSI.h>
