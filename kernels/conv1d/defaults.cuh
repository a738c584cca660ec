// The defaults of kernel.yaml, for a source that is compiled alone; Warpwright gives each value as
// -D. tests/scripts/kernel_defaults_test.py compares this file with the contract.
#pragma once

// Sizes of the problem that are compiled in.
#ifndef LAYOUT
#define LAYOUT channels_last
#endif
#ifndef ACTIVATION
#define ACTIVATION gelu
#endif
#ifndef DTYPE
#define DTYPE bf16
#endif

// Parameters.
#ifndef THREADS
#define THREADS 256
#endif
#ifndef TILE_T
#define TILE_T 64
#endif
#ifndef TILE_C
#define TILE_C 64
#endif
#ifndef T_OUTPUTS
#define T_OUTPUTS 4
#endif
#ifndef CHUNK
#define CHUNK 8
#endif
#ifndef CONSUMER_GROUPS
#define CONSUMER_GROUPS 2
#endif
#ifndef TILE_N
#define TILE_N 128
#endif
#ifndef STAGES
#define STAGES 4
#endif
#ifndef CLUSTER_M
#define CLUSTER_M 1
#endif
#ifndef CLUSTER_N
#define CLUSTER_N 1
#endif
#ifndef K_SPLIT
#define K_SPLIT 1
#endif
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 1
#endif
#ifndef TILE_M
#define TILE_M 128
#endif
#ifndef WARPS_M
#define WARPS_M 2
#endif
#ifndef WARPS_N
#define WARPS_N 4
#endif
