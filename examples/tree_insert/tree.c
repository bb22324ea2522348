/* A binary tree of keys. New nodes come out of a pool. */

enum { kRoom = 40 };

struct node {
    long key;
    short count;                        /* how often the key was inserted */
    struct node *left, *right;          /* smaller keys, and larger ones */
};

struct node *gRoot;
static struct node gPool[kRoom];
static short gUsed;

/* Insert a key. Whether it is a new one. */
unsigned char Insert(long key)
{
    struct node **link = &gRoot;
    while (*link) {
        if (key == (*link)->key) {
            ++(*link)->count;
            return 0;
        }
        link = key < (*link)->key ? &(*link)->left : &(*link)->right;
    }
    *link = &gPool[gUsed++];
    (*link)->key = key;
    (*link)->count = 1;
    (*link)->left = (*link)->right = 0;
    return 1;
}
