/* ToolboxUtil.h: the name that THINK C once had for ToolUtils.h. */

#include <ToolUtils.h>
