/* International.h: an earlier home of what Script.h and Packages.h have. */

#include <Packages.h>
#include <Script.h>
