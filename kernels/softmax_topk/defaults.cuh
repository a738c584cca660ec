// The defaults of kernel.yaml, for a source that is compiled alone; Warpwright gives each value as
// -D. tests/scripts/kernel_defaults_test.py compares this file with the contract.
#pragma once

// Sizes of the problem that are compiled in.
#ifndef DTYPE
#define DTYPE f32
#endif

// Sizes of the problem without a default: values that occur.
#ifndef TOP_K
#define TOP_K 10
#endif

// Parameters.
#ifndef THREADS
#define THREADS 256
#endif
#ifndef UNROLL
#define UNROLL 4
#endif
#ifndef LOCAL_K
#define LOCAL_K 4
#endif
#ifndef ONLINE
#define ONLINE 1
#endif
#ifndef WARPS_PER_BLOCK
#define WARPS_PER_BLOCK 4
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
#ifndef SPLITS
#define SPLITS 2
#endif
#ifndef CLUSTER
#define CLUSTER 4
#endif
#ifndef MERGE_THREADS
#define MERGE_THREADS 256
#endif
