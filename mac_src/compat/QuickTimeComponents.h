/* QuickTimeComponents.h: components of QuickTime; see Movies.h. */

#include <Movies.h>
