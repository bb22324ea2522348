/* DateTimeUtils.h: the later home of dates. */

#include <OSUtils.h>
#include <Packages.h>
