// sectors.cpp
//
// Files the objects of the sector grid once, with the grid moved, and
// asks whether two of them ever share a sector. What files them is
// UpdateSectors of four_shifts.cpp, as it is.

#include "four_shifts.cpp"

short   gRight, gDown;      // how far the grid is moved

void FileAll()
{
    UpdateSectors(gRight, gDown);
}

static short _Distance(scalar a, scalar b)
{
    return (short) (a < b ? b - a : a - b);
}

// Whether two objects have one sector, with the grid moved.

static bool _ShareQ(const obj* a, const obj* b, short right, short down)
{
    return (a->x + right) >> kLog2SectorSize == (b->x + right) >> kLog2SectorSize
        && (a->y + down)  >> kLog2SectorSize == (b->y + down)  >> kLog2SectorSize;
}

// Two objects of some size that overlap are less than that apart. 1 if
// they do not, or if one of the four passes finds them in one sector.

short FindTogether(short size)
{
    const obj* const a = gObjects;
    const obj* const b = gObjects + 1;
    const short half = kSectorSize / 2;

    if (_Distance(a->x, b->x) >= size || _Distance(a->y, b->y) >= size)
        return 1;

    return _ShareQ(a, b, 0,    0) || _ShareQ(a, b, 0,    half)
        || _ShareQ(a, b, half, 0) || _ShareQ(a, b, half, half);
}
