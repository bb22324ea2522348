/* SoundDvr.h: the name that THINK C once had for Sound.h. */

#include <Sound.h>
