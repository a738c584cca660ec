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
#ifndef CACHE
#define CACHE bf16
#endif
#ifndef SCALES
#define SCALES token
#endif
#ifndef PAGE
#define PAGE 0
#endif

// Parameters.
#ifndef TILE
#define TILE 16
#endif
#ifndef ROWS
#define ROWS 8
#endif
#ifndef QUERIES
#define QUERIES 1
#endif
#ifndef SPLITS
#define SPLITS 0
#endif
#ifndef ORDER
#define ORDER heads
#endif
#ifndef BLOCKS_PER_SM
#define BLOCKS_PER_SM 1
#endif
#ifndef WARPS
#define WARPS 4
#endif
#ifndef DEPTH
#define DEPTH 2
#endif
#ifndef STAGES
#define STAGES 8
#endif
#ifndef SLACK
#define SLACK 8
#endif
#ifndef LOAD_HINT
#define LOAD_HINT none
#endif
#ifndef L2_HINT
#define L2_HINT none
#endif
