/* StringCompare.h: the later home of comparisons of strings. */

#include <Packages.h>
