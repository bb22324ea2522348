// machine.h
//
// The Macintosh that PortCheck runs on: its clock, and its description.

#ifndef PORT_CHECK_MACHINE_H
#define PORT_CHECK_MACHINE_H

#include "text.h"

// Whether there is a trap. On a Power Macintosh, as the 68K side has it.

Boolean HasOSTrap(unsigned short trap);
Boolean HasToolTrap(unsigned short trap);

// Finds the finest clock there is. Call it before the clock is read.

void FindClock();

const char* ClockName();            // the routine it reads
Boolean ClockIsCoarse();            // in steps of a sixtieth of a second

// Microseconds modulo 2 to the 32nd: subtract two readings, unsigned.

unsigned long Clock_us();

// Each adds words, without an end of line.

void AddProcessor(Text* text);
void AddMachine(Text* text);
void AddSystem(Text* text);
void AddScreen(Text* text);
void AddDate(Text* text);
void AddCompiler(Text* text);

#endif
