/* StdFilePkg.h: the name that THINK C once had for StandardFile.h. */

#include <StandardFile.h>
