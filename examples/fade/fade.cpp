// One step of a palette's way to black, as games did it between two scenes.

enum { kMaxColours = 256 };

struct colour
{
    unsigned short red, green, blue;    // 0 to 65535, as QuickDraw has them
};

colour          gPalette[kMaxColours];
short           gColourCount;
unsigned short  gAmount;                // by which each part gets darker
unsigned char   gBlackQ;                // 1: nothing is left to be seen

static unsigned short Darker(unsigned short part)
{
    if (part <= gAmount)
        return 0;
    gBlackQ = 0;
    return part - gAmount;
}

void FadeStep()
{
    gBlackQ = 1;
    for (short i = 0; i < gColourCount; i++)
    {
        gPalette[i].red   = Darker(gPalette[i].red);
        gPalette[i].green = Darker(gPalette[i].green);
        gPalette[i].blue  = Darker(gPalette[i].blue);
    }
}
