// sectors.cpp
//
// Files the objects of the sector grid once, with the grid moved, and
// asks whether two of them ever share a sector. What files them is
// UpdateSectors of four_shifts.cpp, as it is.

#include "four_shifts.cpp"

short   gRight, gDown;      // how far the grid is moved
Boolean gFound;             // 1: two that are near share a sector

void FileAll()
{
    UpdateSectors(gRight, gDown);
}

static short _Distance(scalar a, scalar b)
{
    return (short) (a < b ? b - a : a - b);
}

// Two objects of some size that overlap are less than that apart. 1 if
// they do not, or if some pass files them under one sector.

short FindTogether(short size)
{
    obj* const a = gObjects;
    obj* const b = gObjects + 1;

    if (_Distance(a->x, b->x) >= size || _Distance(a->y, b->y) >= size)
        return 1;

    for (short right = 0; right <= kSectorSize / 2; right += kSectorSize / 2)
        for (short down = 0; down <= kSectorSize / 2; down += kSectorSize / 2)
        {
            UpdateSectors(right, down);
            if (b->sector_link == a)
                return 1;
        }
    return 0;
}
