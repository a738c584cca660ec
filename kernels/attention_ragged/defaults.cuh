// The defaults of kernel.yaml, for a source that is compiled alone; Warpwright gives each value as
// -D. tests/scripts/kernel_defaults_test.py compares this file with the contract.
#pragma once

// Sizes of the problem that are compiled in.
#ifndef HEAD_DIM
#define HEAD_DIM 128
#endif
#ifndef DTYPE
#define DTYPE bf16
#endif

// Parameters.
#ifndef WARPS
#define WARPS 4
#endif
#ifndef TILE_Q
#define TILE_Q 64
#endif
#ifndef TILE_KV
#define TILE_KV 64
#endif
#ifndef STAGES
#define STAGES 2
#endif
#ifndef CONSUMER_WARPS
#define CONSUMER_WARPS 4
#endif
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 2
#endif
