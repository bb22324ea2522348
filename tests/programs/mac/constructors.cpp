// constructors.cpp: what C++ does before main and after it, and on the heap.

#include <stdio.h>

class Noisy
{
public:
    Noisy(const char* name) : mName(name)   { printf("+%s\n", mName); }
    virtual ~Noisy()                        { printf("-%s\n", mName); }
    virtual int Value() const               { return 1; }

private:
    const char* mName;
};

class Louder : public Noisy
{
public:
    Louder(const char* name, int value) : Noisy(name), mValue(value)    {}
    ~Louder()                               { printf("-louder\n"); }
    int Value() const                       { return mValue; }

private:
    int mValue;
};

static Noisy gOne("one");
static Louder gTwo("two", 2);

static const Noisy& _Local()
{
    static Noisy local("local");
    return local;
}

int main()
{
    printf("main\n");

    const Noisy* all[] = { &gOne, &gTwo, &_Local() };
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += all[i]->Value();
    printf("sum %d\n", sum);

    Noisy* made = new Louder("made", 7);
    printf("value %d\n", made->Value());
    delete made;

    int* numbers = new int[100];
    numbers[99] = 99;
    delete[] numbers;

    printf("end\n");
}
