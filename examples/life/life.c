/* John Conway's game of life on a torus, with a table that says which cells live on. */

enum { kSize = 16 };

unsigned char gCells[kSize][kSize]; /* 1 is alive */
unsigned char gLives[2][9];         /* by the cell itself and its living neighbours */

void InitLife(void)
{
    short neighbours;
    for (neighbours = 0; neighbours < 9; ++neighbours) {
        gLives[0][neighbours] = neighbours == 3;
        gLives[1][neighbours] = neighbours == 2 || neighbours == 3;
    }
}

void StepLife(void)
{
    static unsigned char next[kSize][kSize];
    short row, column, down, right;
    for (row = 0; row < kSize; ++row)
        for (column = 0; column < kSize; ++column) {
            short neighbours = -gCells[row][column];
            for (down = -1; down <= 1; ++down)
                for (right = -1; right <= 1; ++right)
                    neighbours += gCells[(row + down) & 15][(column + right) & 15];
            next[row][column] = gLives[gCells[row][column]][neighbours];
        }
    for (row = 0; row < kSize; ++row)
        for (column = 0; column < kSize; ++column)
            gCells[row][column] = next[row][column];
}
