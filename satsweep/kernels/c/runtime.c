/* What the library needs of a C runtime, and what is known of it: no other library is linked.

   This file is compiled for the oldest processor of the platform: it decides whether the rest can run. */

#include <stddef.h>

#include "kernels.h"
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#if defined(_WIN32)
#define PUBLIC __declspec(dllexport)
int _fltused = 0;
int DllMainCRTStartup(void *module, unsigned reason, void *reserved) {
    (void)module, (void)reason, (void)reserved;
    return 1;
}
#define HIDDEN
/* A large frame touches each page of the stack in turn: RAX has its size. All registers stay as they are. */
__asm__(".globl ___chkstk_ms\n___chkstk_ms:\n"
        "pushq %rax\n pushq %rcx\n leaq 24(%rsp), %rcx\n"
        "1: cmpq $4096, %rax\n jbe 2f\n subq $4096, %rcx\n orb $0, (%rcx)\n subq $4096, %rax\n jmp 1b\n"
        "2: subq %rax, %rcx\n orb $0, (%rcx)\n popq %rcx\n popq %rax\n ret\n");
#else
#define PUBLIC __attribute__((visibility("default")))
#define HIDDEN __attribute__((visibility("hidden")))
#endif

/* SHA-256 of the sources that the library was made from. */
PUBLIC const char *const satsweep_sources = SATSWEEP_SOURCES;

/* Size of a working record. */
PUBLIC const long long satsweep_record_bytes = RECORD_BYTES;

/* 1 if this processor has all instructions of the library, else 0. */
PUBLIC int satsweep_runs_here(void) {
#if defined(__x86_64__)
    const unsigned v2 = bit_SSE3 | bit_SSSE3 | bit_CMPXCHG16B | bit_SSE4_1 | bit_SSE4_2 | bit_POPCNT;
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & v2) == v2;
#else
    return 1;
#endif
}

#if defined(SATSWEEP_CHECKED)
/* Called with the place of an access, its index and the length of the array. */
PUBLIC void (*satsweep_report)(const char *, long long, long long) = 0;

HIDDEN void satsweep_out_of_range(const char *place, long long index, long long length) {
    if (satsweep_report) satsweep_report(place, index, length);
    __builtin_trap();
}
#endif

/* Words at any address; the last one overlaps what is written before it. */
typedef unsigned long long Word __attribute__((aligned(1), may_alias));
typedef Word Wide __attribute__((vector_size(16), aligned(1), may_alias));

HIDDEN void *memset(void *to, int value, size_t count) {
    unsigned char *at = to, *end = at + count;
    const Word word = (unsigned char)value * 0x0101010101010101ULL;
    const Wide wide = {word, word};
    if (count >= 16) {
        for (; end - at > 16; at += 16) *(Wide *)at = wide;
        *(Wide *)(end - 16) = wide;
    } else if (count >= 8) {
        *(Word *)at = word;
        *(Word *)(end - 8) = word;
    } else {
        while (at < end) *at++ = (unsigned char)value;
    }
    return to;
}

HIDDEN void *memcpy(void *restrict to, const void *restrict from, size_t count) {
    unsigned char *at = to;
    const unsigned char *source = from;
    while (count--) *at++ = *source++;
    return to;
}

HIDDEN void *memmove(void *to, const void *from, size_t count) {
    unsigned char *at = to;
    const unsigned char *source = from;
    if (at < source)
        while (count--) *at++ = *source++;
    else
        while (count--) at[count] = source[count];
    return to;
}
