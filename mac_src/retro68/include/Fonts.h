/* Fonts.h: short names of fonts, which the open interfaces leave out.
 *
 * Found before the interfaces' own Fonts.h. CMake defines HAVE_MONACO
 * where that has them.
 */

#include_next <Fonts.h>

#if !defined(HAVE_MONACO) && !defined(monaco)

#define newYork kFontIDNewYork
#define geneva  kFontIDGeneva
#define monaco  kFontIDMonaco

#endif
