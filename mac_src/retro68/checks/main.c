/* main.c
 *
 * On PowerPC main itself calls all constructors, behind the beginning of
 * its frame. Where that has checks there has to be a shadow by then, which
 * the first constructor asks for. So another main comes first.
 */

extern int macproof_main(int count, char **words);

int main(int count, char **words)
{
    return macproof_main(count, words);
}
