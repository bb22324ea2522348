/* Patches.h: addresses of traps; OSUtils.h has them. */

#include <OSUtils.h>
