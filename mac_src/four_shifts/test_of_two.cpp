// test_of_two.cpp
//
// Puts the test of two objects, the innermost of the detector, to the
// test by itself: of the first object on the list and the next. It stands
// behind either form of the detector.

Boolean gIntersectQ;

void TestFirstTwo()
{
    obj* a = GetMyFirstObject();

    gIntersectQ = a != NULL && a->obj_link != NULL
                  && _IntersectQ(a, a->obj_link);
}
