// window.h
//
// What the user sees and may do: one window with the scene being worked
// on and how far the work is, alerts, and ways to stop at any time.

#ifndef PORT_CHECK_WINDOW_H
#define PORT_CHECK_WINDOW_H

#include "routines.h"

// Starts the managers and opens the window. False: there is no memory.

Boolean OpenProgress();
void CloseProgress();

// The picture: a scene after a routine has run on it. Both must last until
// the next call, for the window may have to be drawn again.

void ShowScene(const Scene* scene, const Routine* routine);

// The words beside it, and the part of the work that is done.

void ShowStep(const char* step, long done, long all);

// Looks for what the user has done, and lets other programs run. True,
// and from then on always, if the user wants to stop.

Boolean StopAsked();

// Says something that needs an answer: that it was read.

void Complain(const char* problem);
void Tell(const char* news);

#endif
