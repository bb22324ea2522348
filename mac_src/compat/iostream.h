// iostream.h: as much of the stream library before the standard as old
// programs here print with. Only declared: cout has no constructor, so
// including this makes no code run before main.

#ifndef COMPAT_IOSTREAM_H
#define COMPAT_IOSTREAM_H

class ostream
{
public:
    ostream& operator<<(char c);
    ostream& operator<<(const char* text);
    ostream& operator<<(int n);
    ostream& operator<<(unsigned int n);
    ostream& operator<<(long n);
    ostream& operator<<(unsigned long n);
    ostream& operator<<(float f);
    ostream& operator<<(double f);

    ostream& operator<<(ostream& (*manipulator)(ostream&))
    {
        return manipulator(*this);
    }

    int precision(int digits);      // returns the former setting
    ostream& flush();
};

ostream& endl(ostream& s);

extern ostream cout;

#endif
