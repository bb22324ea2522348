/* Points and rectangles by value, as the Toolbox has them. */

#include <Types.h>

/* The point of a rectangle that is nearest to another point. The pixels at the right and bottom
   edges belong to the rectangle no more. */
Point Pinned(Point where, Rect bounds)
{
    if (where.v >= bounds.bottom)
        where.v = bounds.bottom - 1;
    if (where.v < bounds.top)
        where.v = bounds.top;
    if (where.h >= bounds.right)
        where.h = bounds.right - 1;
    if (where.h < bounds.left)
        where.h = bounds.left;
    return where;
}
