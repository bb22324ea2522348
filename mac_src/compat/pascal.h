/* pascal.h: strings of C and of Pascal, as THINK C has them. */

#include <Strings.h>
