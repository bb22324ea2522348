/* Points are mapped by a matrix of Fixed numbers: 16 bits before the binary point, 16 behind it. */

#include <Types.h>

typedef struct {
    Fixed x, y;
} FixedPoint;

typedef struct {
    Fixed a, b, c, d; /* x' = a x + c y + tx, y' = b x + d y + ty */
    Fixed tx, ty;
} Matrix;

/* Rounded to the nearest, a half upward. */
static Fixed Times(Fixed one, Fixed other)
{
    return ((long long) one * other + 0x8000) >> 16;
}

void MapPoints(const Matrix *matrix, FixedPoint *points, short count)
{
    for (; count > 0; --count, ++points) {
        Fixed x = points->x;
        points->x = Times(matrix->a, x) + Times(matrix->c, points->y) + matrix->tx;
        points->y = Times(matrix->b, x) + Times(matrix->d, points->y) + matrix->ty;
    }
}
