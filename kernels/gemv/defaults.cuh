// The defaults of kernel.yaml, for a source that is compiled alone; Warpwright gives each value as
// -D. tests/scripts/kernel_defaults_test.py compares this file with the contract.
#pragma once

// Sizes of the problem that are compiled in.
#ifndef WEIGHT
#define WEIGHT bf16
#endif
#ifndef DTYPE
#define DTYPE bf16
#endif

// Parameters.
#ifndef WARPS
#define WARPS 8
#endif
#ifndef ROWS
#define ROWS 2
#endif
#ifndef TILE_ROWS
#define TILE_ROWS 16
#endif
#ifndef TILES
#define TILES 1
#endif
#ifndef TOKENS
#define TOKENS 8
#endif
#ifndef UNROLL
#define UNROLL 4
#endif
#ifndef SPLITS
#define SPLITS 1
#endif
#ifndef THREADS_PER_SM
#define THREADS_PER_SM 512
#endif
#ifndef LOAD_HINT
#define LOAD_HINT streaming
#endif
#ifndef CONSUMER_WARPS
#define CONSUMER_WARPS 8
#endif
#ifndef CHUNK
#define CHUNK 1024
#endif
#ifndef STAGES
#define STAGES 4
#endif
#ifndef BLOCKS_PER_SM
#define BLOCKS_PER_SM 1
#endif
#ifndef L2_HINT
#define L2_HINT none
#endif
