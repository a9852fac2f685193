/* Keys of random generators: what random.Random(text) of Python starts from. */

#include "seeds.h"

#define BLOCK 128
#define DIGEST 64

/* SHA-512 (FIPS 180-4). */
static const uint64_t ROUNDS[80] = {
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc, 0x3956c25bf348b538,
    0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118, 0xd807aa98a3030242, 0x12835b0145706fbe,
    0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2, 0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235,
    0xc19bf174cf692694, 0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5, 0x983e5152ee66dfab,
    0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4, 0xc6e00bf33da88fc2, 0xd5a79147930aa725,
    0x06ca6351e003826f, 0x142929670a0e6e70, 0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed,
    0x53380d139d95b3df, 0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30, 0xd192e819d6ef5218,
    0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8, 0x19a4c116b8d2d0c8, 0x1e376c085141ab53,
    0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8, 0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373,
    0x682e6ff3d6b2b8a3, 0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b, 0xca273eceea26619c,
    0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178, 0x06f067aa72176fba, 0x0a637dc5a2c898a6,
    0x113f9804bef90dae, 0x1b710b35131c471b, 0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc,
    0x431d67c49c100d4c, 0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
};

static uint64_t turned(uint64_t word, int places) { return word >> places | word << (64 - places); }

static void add_block(uint64_t *state, const unsigned char *block) {
    uint64_t word[80], now[8];
    for (int at = 0; at < 16; at++) {
        word[at] = 0;
        for (int byte = 0; byte < 8; byte++) word[at] = word[at] << 8 | block[8 * at + byte];
    }
    for (int at = 16; at < 80; at++) {
        const uint64_t x = word[at - 15], y = word[at - 2];
        word[at] = word[at - 16] + (turned(x, 1) ^ turned(x, 8) ^ x >> 7) + word[at - 7] +
                   (turned(y, 19) ^ turned(y, 61) ^ y >> 6);
    }
    for (int at = 0; at < 8; at++) now[at] = state[at];
    for (int at = 0; at < 80; at++) {
        const uint64_t a = now[0], e = now[4];
        const uint64_t one = now[7] + (turned(e, 14) ^ turned(e, 18) ^ turned(e, 41)) +
                             ((e & now[5]) ^ (~e & now[6])) + ROUNDS[at] + word[at];
        const uint64_t two = (turned(a, 28) ^ turned(a, 34) ^ turned(a, 39)) +
                             ((a & now[1]) ^ (a & now[2]) ^ (now[1] & now[2]));
        for (int place = 7; place; place--) now[place] = now[place - 1];
        now[4] += one;
        now[0] = one + two;
    }
    for (int at = 0; at < 8; at++) state[at] += now[at];
}

/* Write the SHA-512 of a text behind it; there is room for a block and a half. */
static void add_digest(unsigned char *text, size_t length) {
    uint64_t state[8] = {
        0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
        0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
    };
    const size_t end = (length + 16 + BLOCK) / BLOCK * BLOCK;
    for (size_t at = length; at < end; at++) text[at] = 0;
    text[length] = 0x80;
    for (size_t at = 0; at < 8; at++) text[end - 1 - at] = (unsigned char)((uint64_t)length * 8 >> 8 * at);
    for (size_t at = 0; at < end; at += BLOCK) add_block(state, text + at);
    for (size_t at = 0; at < DIGEST; at++) text[length + at] = (unsigned char)(state[at / 8] >> (56 - at % 8 * 8));
}

size_t put_number(char *text, int64_t number) {
    char digits[20];
    size_t length = 0, count = 0;
    do digits[count++] = (char)('0' + number % 10);
    while (number /= 10);
    while (count) text[length++] = digits[--count];
    return length;
}

size_t key_of(char *seed, size_t length, uint32_t *key) {
    unsigned char *text = (unsigned char *)seed;
    add_digest(text, length);
    const size_t bytes = length + DIGEST, words = (bytes + 3) / 4;
    for (size_t word = 0; word < words; word++) key[word] = 0;
    for (size_t at = 0; at < bytes; at++) key[at / 4] |= (uint32_t)text[bytes - 1 - at] << at % 4 * 8;
    return words;
}
