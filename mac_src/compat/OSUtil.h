/* OSUtil.h: the name that THINK C once had for OSUtils.h. */

#include <OSUtils.h>
