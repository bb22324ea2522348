/* ControlMgr.h: the name that THINK C once had for Controls.h. */

#include <Controls.h>
