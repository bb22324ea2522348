/* NumberFormatting.h: the later home of numbers as text. */

#include <Packages.h>
