/* Natural numbers of a fixed room, as far as a count of worlds needs them. */

#include "big.h"

static void trim(big *number, int32_t length) {
    while (length && !number->limb[length - 1]) length--;
    number->length = length;
}

void big_set(big *number, uint64_t value) {
    number->limb[0] = (uint32_t)value;
    number->limb[1] = (uint32_t)(value >> 32);
    trim(number, 2);
}

void big_copy(big *to, const big *from) {
    to->length = from->length;
    for (int32_t at = 0; at < from->length; at++) to->limb[at] = from->limb[at];
}

void big_add_product(big *sum, const big *one, const big *other) {
    int32_t length = one->length + other->length + 1;
    if (length < sum->length + 1) length = sum->length + 1;
    if (length > LIMBS) length = LIMBS;
    for (int32_t at = sum->length; at < length; at++) sum->limb[at] = 0;
    for (int32_t low = 0; low < one->length; low++) {
        uint64_t carry = 0;
        for (int32_t at = 0; at < other->length; at++) {
            carry += (uint64_t)one->limb[low] * other->limb[at] + sum->limb[low + at];
            sum->limb[low + at] = (uint32_t)carry;
            carry >>= 32;
        }
        for (int32_t at = low + other->length; carry; at++) {
            carry += sum->limb[at];
            sum->limb[at] = (uint32_t)carry;
            carry >>= 32;
        }
    }
    trim(sum, length);
}

void big_multiply(big *number, uint32_t factor) {
    uint64_t carry = 0;
    for (int32_t at = 0; at < number->length; at++) {
        carry += (uint64_t)number->limb[at] * factor;
        number->limb[at] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry) number->limb[number->length++] = (uint32_t)carry;
}

uint32_t big_divide(big *number, uint32_t divisor) {
    uint64_t rest = 0;
    for (int32_t at = number->length - 1; at >= 0; at--) {
        rest = rest << 32 | number->limb[at];
        number->limb[at] = (uint32_t)(rest / divisor);
        rest %= divisor;
    }
    trim(number, number->length);
    return (uint32_t)rest;
}

double big_double(const big *number) {
    const int32_t length = number->length;
    if (length < 3) return (double)((length > 1 ? (uint64_t)number->limb[1] << 32 : 0) | (length ? number->limb[0] : 0));
    /* The highest 64 bits; all below only say whether they are exact, which the lowest of them can do. */
    const int shift = __builtin_clz(number->limb[length - 1]);
    uint64_t top = (uint64_t)number->limb[length - 1] << 32 | number->limb[length - 2];
    uint32_t below = number->limb[length - 3];
    if (shift) {
        top = top << shift | below >> (32 - shift);
        below <<= shift;
    }
    for (int32_t at = length - 4; at >= 0; at--) below |= number->limb[at];
    double value = (double)(top | (below != 0));
    for (int32_t bits = 32 * (length - 2) - shift; bits; bits--) value *= 2;
    return value;
}

int big_digits(big *number, char *digits, uint64_t size) {
    uint64_t length = 0;
    do {
        uint32_t nine = big_divide(number, 1000000000);
        for (int place = 0; place < 9 && (number->length || nine || !length); place++) {
            if (length + 1 >= size) return 0;
            digits[length++] = (char)('0' + nine % 10);
            nine /= 10;
        }
    } while (number->length);
    digits[length] = 0;
    for (uint64_t left = 0, right = length; left + 1 < right; left++) {
        const char digit = digits[left];
        digits[left] = digits[--right];
        digits[right] = digit;
    }
    return 1;
}
