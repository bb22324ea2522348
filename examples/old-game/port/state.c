// state.c: the variables of the game.

#include "turncoat.h"

// GLOBAL: A5-0x230
Disc board[EDGE][EDGE];

// GLOBAL: A5-0x2a8
short steps[DIRECTIONS][2] = {
    {-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1},
};

// GLOBAL: A5-0x288
Disc weights[EDGE][EDGE] = {
    {120, -20, 20, 5, 5, 20, -20, 120},
    {-20, -40, -5, -5, -5, -5, -40, -20},
    {20, -5, 15, 3, 3, 15, -5, 20},
    {5, -5, 3, 3, 3, 3, -5, 5},
    {5, -5, 3, 3, 3, 3, -5, 5},
    {20, -5, 15, 3, 3, 15, -5, 20},
    {-20, -40, -5, -5, -5, -5, -40, -20},
    {120, -20, 20, 5, 5, 20, -20, 120},
};

// GLOBAL: A5-0x248
StringPtr names[2] = {(StringPtr) "\pBlack", (StringPtr) "\pWhite"};

// GLOBAL: A5-0x240
unsigned char file_name[16] = "\pTurncoat Game";

// GLOBAL: A5-0x1f0
Turn** history;

// GLOBAL: A5-0x1ec
short played;

// GLOBAL: A5-0x1ea
short room;

// GLOBAL: A5-0x1e8
unsigned short seed;

// GLOBAL: A5-0x1e6
long positions;

// GLOBAL: A5-0x1e2
Boolean done;

// GLOBAL: A5-0x1e1
Boolean over;

// GLOBAL: A5-0x1e0
Str255 line;

// GLOBAL: A5-0xe0
WindowPtr window;

// GLOBAL: A5-0xdc
MenuHandle menu;

// GLOBAL: A5-0xd8
Header header;

// GLOBAL: A5-0xd0
QDGlobals drawing;
