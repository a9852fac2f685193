/* What the C files share: words of kernels, and which functions the library shows. */

#ifndef SATSWEEP_PLATFORM_H
#define SATSWEEP_PLATFORM_H

typedef long long Word;

#if defined(_WIN32)
#define PUBLIC __declspec(dllexport)
#define HIDDEN
#else
#define PUBLIC __attribute__((visibility("default")))
#define HIDDEN __attribute__((visibility("hidden")))
#endif

#endif
