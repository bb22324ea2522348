// dilated.h
//
// Morton codes: x in the even bits, y in the odd ones, y growing
// downwards. A code of 16 bits names one of 256 x 256 cells, a code of 32
// bits one of 65,536 x 65,536.
//
// A neighbour is found without taking the code apart. x and y are dilated
// integers: to add to one of them, the bits of the other are first set,
// so that a carry runs across them; to subtract, they are cleared, so
// that a borrow does. The method is Gunther Schrack's (1992). That it can
// be used for collisions, and the order of the eight neighbours, are from
// a forum post on linear quadtrees for the PSP, whose author is not named
// in our copy. Written afresh for macproof.
//
// It is said there that a compiler spoils this arithmetic. It does not:
// all of it is on unsigned numbers, where C and C++ know no exceptions.

#ifndef DILATED_H
#define DILATED_H

typedef unsigned short  code16;
typedef unsigned int    code32;     // 32 bits here, on every processor

// What there is to know of a kind of code.

struct narrow
{
    typedef code16 code;
    enum { kMaskX = 0x5555, kMaskY = 0xaaaa };
};

struct wide
{
    typedef code32 code;
    static const code32 kMaskX = 0x55555555U;
    static const code32 kMaskY = 0xaaaaaaaaU;
};

// One cell to each side. What lies beyond the last column is the first,
// and so on: the plane is a torus.

template <class kind>
inline typename kind::code RightOf(typename kind::code m)
{
    return (typename kind::code)
        ((((m | kind::kMaskY) + 1) & kind::kMaskX) | (m & kind::kMaskY));
}

template <class kind>
inline typename kind::code LeftOf(typename kind::code m)
{
    return (typename kind::code)
        ((((m & kind::kMaskX) - 1) & kind::kMaskX) | (m & kind::kMaskY));
}

template <class kind>
inline typename kind::code Below(typename kind::code m)
{
    return (typename kind::code)
        ((((m | kind::kMaskX) + 2) & kind::kMaskY) | (m & kind::kMaskX));
}

template <class kind>
inline typename kind::code Above(typename kind::code m)
{
    return (typename kind::code)
        ((((m & kind::kMaskY) - 2) & kind::kMaskY) | (m & kind::kMaskX));
}

// The neighbours in the order in which they are listed and searched.

enum
{
    kTopLeft, kTop, kTopRight, kLeft, kRight,
    kBottomLeft, kBottom, kBottomRight,
    kNumNeighbours
};

template <class kind>
inline void ListNeighbours(typename kind::code m, typename kind::code* r)
{
    const typename kind::code left  = LeftOf<kind>(m);
    const typename kind::code right = RightOf<kind>(m);

    r[kTopLeft]     = Above<kind>(left);
    r[kTop]         = Above<kind>(m);
    r[kTopRight]    = Above<kind>(right);
    r[kLeft]        = left;
    r[kRight]       = right;
    r[kBottomLeft]  = Below<kind>(left);
    r[kBottom]      = Below<kind>(m);
    r[kBottomRight] = Below<kind>(right);
}

// Which of them exist if the plane ends at its border: bit s for slot s.

enum
{
    kTopRow      = 1 << kTopLeft    | 1 << kTop    | 1 << kTopRight,
    kBottomRow   = 1 << kBottomLeft | 1 << kBottom | 1 << kBottomRight,
    kLeftColumn  = 1 << kTopLeft    | 1 << kLeft   | 1 << kBottomLeft,
    kRightColumn = 1 << kTopRight   | 1 << kRight  | 1 << kBottomRight
};

template <class kind>
inline int ExistingNeighbours(typename kind::code m)
{
    int existing = 0xff;

    if ((m & kind::kMaskX) == 0)
        existing &= ~kLeftColumn;
    if ((m & kind::kMaskX) == kind::kMaskX)
        existing &= ~kRightColumn;
    if ((m & kind::kMaskY) == 0)
        existing &= ~kTopRow;
    if ((m & kind::kMaskY) == kind::kMaskY)
        existing &= ~kBottomRow;

    return existing;
}

// The code of a column and a row, 0..255 each.

inline unsigned int Dilated(unsigned int n)
{
    n = (n | n << 4) & 0x0f0f;
    n = (n | n << 2) & 0x3333;
    n = (n | n << 1) & 0x5555;
    return n;
}

inline code16 CodeOf(unsigned int column, unsigned int row)
{
    return (code16) (Dilated(column & 0xff) | Dilated(row & 0xff) << 1);
}

#endif
