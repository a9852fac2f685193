/* Natural numbers up to 2**10240, the number of all layouts of the largest board, times a small factor. */

#include "kernels.h"

#define LIMBS (CELLS / 32 + 4)

/* Limbs from the lowest on; the last one in use is not 0, so that 0 has none. */
typedef struct {
    int32_t length;
    uint32_t limb[LIMBS];
} big;

void big_set(big *number, uint64_t value);
void big_copy(big *to, const big *from);
void big_add_product(big *sum, const big *one, const big *other);
void big_multiply(big *number, uint32_t factor);

/* Divide; return the rest. */
uint32_t big_divide(big *number, uint32_t divisor);

/* Return the nearest double, infinity for what is greater than all. */
double big_double(const big *number);

/* Write the decimal digits and a 0 byte, if there is room for them. Returns whether there is; the number is lost. */
int big_digits(big *number, char *digits, uint64_t size);
