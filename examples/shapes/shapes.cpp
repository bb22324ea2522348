// A class hierarchy as application frameworks had them: a drawing asks its shapes for their areas.

enum { kMostShapes = 12 };

struct size
{
    short width, height;                // of the rectangle around a shape, in pixels
};

class Shape
{
public:
    Shape(const size& around) : around(around) {}
    virtual long Area() const = 0;      // in square pixels
    virtual short Sides() const { return 4; }

protected:
    const size& around;
};

class Box : public Shape
{
public:
    Box(const size& around) : Shape(around) {}
    virtual long Area() const { return (long) around.width * around.height; }
};

class Triangle : public Shape           // half of the rectangle around it
{
public:
    Triangle(const size& around) : Shape(around) {}
    virtual long Area() const { return (long) around.width * around.height / 2; }
    virtual short Sides() const { return 3; }
};

class Drawing
{
public:
    long Area(short sides) const;

    short count;
    Shape* shapes[kMostShapes];
};

// The areas of the shapes with that many sides; of all shapes if it is 0.
long Drawing::Area(short sides) const
{
    long area = 0;
    for (short i = 0; i < count; i++)
    {
        const Shape* shape = shapes[i];
        if (!sides || shape->Sides() == sides)
            area += shape->Area();
    }
    return area;
}

size gSizes[kMostShapes];
Drawing gDrawing;

inline void* operator new(__SIZE_TYPE__, void* place) { return place; }

// Boxes and triangles by turns.
void MakeDrawing()
{
    static long room[kMostShapes][sizeof(Triangle) / sizeof(long)];

    for (short i = 0; i < kMostShapes; i++)
    {
        if (i % 2)
            gDrawing.shapes[i] = new (room[i]) Triangle(gSizes[i]);
        else
            gDrawing.shapes[i] = new (room[i]) Box(gSizes[i]);
    }
}
