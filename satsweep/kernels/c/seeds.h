#include <stddef.h>
#include <stdint.h>

#define MOST_SEED 256
/* Most bytes of a seed, of a seed with numbers and its digest behind it, and most words of its key. */
#define SEED_ROOM (MOST_SEED + 64 + 192)
#define KEY_WORDS (SEED_ROOM / 4)

/* Write a number that is not negative; return how many digits it has. */
size_t put_number(char *text, int64_t number);

/* Write the key of a seed of this length, which does not begin with a 0 byte; return its length. The digest of the
   seed is written behind it. */
size_t key_of(char *seed, size_t length, uint32_t *key);
