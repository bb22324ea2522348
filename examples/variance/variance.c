/* Mean and variance of samples, in double precision. On a 68000 each operation is a call of a
   routine; a 68040 has an FPU, which keeps 64 bits of a product where memory keeps 53. */

double Variance(const double *samples, short count, double *mean)
{
    double sum = 0, squares = 0;
    short i;
    for (i = 0; i < count; ++i)
        sum += samples[i];
    *mean = sum / count;
    for (i = 0; i < count; ++i) {
        double off = samples[i] - *mean;
        squares += off * off;
    }
    return squares / count;
}
