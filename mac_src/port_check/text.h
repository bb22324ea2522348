// text.h
//
// Text that grows at its end, numbers as text, and the two checksums that
// PortCheck's files have.

#ifndef PORT_CHECK_TEXT_H
#define PORT_CHECK_TEXT_H

#include "toolbox.h"

// A block of characters in the heap. What does not fit is left out, and
// Full says so: nobody need look at every single step.

class Text
{
public:
    Text() : fBytes(NULL), fLength(0), fRoom(0), fFull(false) {}
    ~Text();

    Boolean Reserve(long room);         // once; false: there is no memory

    void Add(char c);
    void Add(const char* text);
    void AddNumber(unsigned long n, short digits = 1);
    void AddHex(unsigned long n);       // 8 digits, small letters
    void EndLine();

    const char* Bytes() const   { return fBytes; }
    long Length() const         { return fLength; }
    Boolean Full() const        { return fFull; }
    void Clear()                { fLength = 0; }

private:
    char*   fBytes;
    long    fLength, fRoom;
    Boolean fFull;

    Text(const Text&);                  // not to be copied
    void operator=(const Text&);
};

long TextLength(const char* text);
Boolean SameText(const char* a, const char* b);

// A C string as one that begins with its length. Text beyond 255
// characters is left out.

void MakePascal(unsigned char* string, const char* text);

// The CRC of zip files, of one character after another. Begin with 0.

unsigned long AddToCrc(unsigned long crc, unsigned char c);

// FNV-1a of 32 bits, likewise. Begin with kEmptyDigest.

static const unsigned long kEmptyDigest = 0x811c9dc5UL;

unsigned long AddToDigest(unsigned long digest, unsigned char c);

#endif
