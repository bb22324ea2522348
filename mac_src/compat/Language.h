/* Language.h: languages; Script.h has them. */

#include <Script.h>
