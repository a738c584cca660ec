// The defaults of kernel.yaml, for a source that is compiled alone; Warpwright gives each value as
// -D. tests/scripts/kernel_defaults_test.py compares this file with the contract.
#pragma once

// Sizes of the problem that are compiled in.
#ifndef DTYPE
#define DTYPE f32
#endif

// Sizes of the problem without a default: values that occur.
#ifndef TOP_K
#define TOP_K 50
#endif

// Parameters.
#ifndef THREADS
#define THREADS 256
#endif
#ifndef UNROLL
#define UNROLL 4
#endif
#ifndef CAPACITY
#define CAPACITY 1024
#endif
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 4
#endif
#ifndef PREFETCH
#define PREFETCH 0
#endif
