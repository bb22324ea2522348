// scenes.h
//
// The file of scenes that lies beside PortCheck. All of it is read and
// checked at once, so that damage is told before anything is measured.

#ifndef PORT_CHECK_SCENES_H
#define PORT_CHECK_SCENES_H

#include "text.h"

struct Corner
{
    short x, y;
};

struct Scene
{
    long            index;          // from 0, its place in the file
    char            generator[24];  // what made it
    long            objects;
    short           width, height;  // of the screen it was made for
    const Corner*   corners;
};

class SceneFile
{
public:
    SceneFile();
    ~SceneFile();

    // Reads the file. If that cannot be done, gives false, and words that
    // tell why in *problem.

    Boolean Read(const unsigned char* name, const char** problem);

    long Count() const              { return fCount; }
    long MostObjects() const        { return fMostObjects; }
    unsigned long Crc() const       { return fCrc; }

    // The scene at an index. It is gone when the next one is asked for.

    const Scene* Get(long index);

private:
    char*           fText;
    long            fLength;
    const char**    fStarts;        // where each scene begins
    Corner*         fCorners;
    Scene           fScene;
    long            fCount, fMostObjects;
    unsigned long   fCrc;

    const char* _Load(const unsigned char* name);
    const char* _Check();

    SceneFile(const SceneFile&);    // not to be copied
    void operator=(const SceneFile&);
};

#endif
