// results.h
//
// The file of results. It is made under another name before anything is
// measured, with room for all of the text, so that a full or locked disk
// is told at once; and it gets its own name when it is complete.

#ifndef PORT_CHECK_RESULTS_H
#define PORT_CHECK_RESULTS_H

#include "text.h"

class ResultsFile
{
public:
    ResultsFile() : fFile(0) {}
    ~ResultsFile();                 // what is not complete is deleted

    // Both give NULL, or words that tell what is wrong.

    const char* Begin(long room);
    const char* Finish(Text* text); // adds the last line, with the CRC

private:
    short fFile;                    // 0: there is none

    const char* _Discard(OSErr error);

    ResultsFile(const ResultsFile&);    // not to be copied
    void operator=(const ResultsFile&);
};

#endif
