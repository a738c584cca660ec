// The defaults of kernel.yaml, for a source that is compiled alone; Warpwright gives each value as
// -D. tests/scripts/kernel_defaults_test.py compares this file with the contract.
#pragma once

// Sizes of the problem that are compiled in.
#ifndef EXPERTS
#define EXPERTS 384
#endif
#ifndef HIDDEN
#define HIDDEN 7168
#endif
#ifndef TOP_K
#define TOP_K 6
#endif
#ifndef SCORING
#define SCORING sqrt_softplus
#endif
#ifndef GROUPS
#define GROUPS 1
#endif
#ifndef KEPT_GROUPS
#define KEPT_GROUPS 1
#endif
#ifndef NORMALISE
#define NORMALISE 1
#endif

// Parameters.
#ifndef TILE_EXPERTS
#define TILE_EXPERTS 48
#endif
#ifndef TILE_TOKENS
#define TILE_TOKENS 32
#endif
#ifndef ROWS
#define ROWS 3
#endif
#ifndef ROW_TOKENS
#define ROW_TOKENS 4
#endif
#ifndef SPLITS
#define SPLITS 8
#endif
#ifndef WARPS
#define WARPS 8
#endif
#ifndef TOUCH
#define TOUCH 16
#endif
#ifndef TOKEN_WARPS
#define TOKEN_WARPS 1
#endif
#ifndef AHEAD
#define AHEAD 2
#endif
#ifndef MERGE_TOKENS
#define MERGE_TOKENS 32
#endif
#ifndef TOKEN_GROUPS
#define TOKEN_GROUPS 2
#endif
#ifndef EXPERT_SPLIT
#define EXPERT_SPLIT 2
#endif
#ifndef TOKEN_TILES
#define TOKEN_TILES 1
#endif
#ifndef K_SPLIT
#define K_SPLIT 1
#endif
#ifndef CLUSTER
#define CLUSTER 1
#endif
#ifndef GATE_ROWS
#define GATE_ROWS 64
#endif
#ifndef SHARE
#define SHARE 1
#endif
#ifndef READINGS
#define READINGS 1
#endif
#ifndef PATIENCE
#define PATIENCE 0
#endif
#ifndef STAGES
#define STAGES 4
#endif
#ifndef COLUMNS
#define COLUMNS 32
#endif
#ifndef SLOTS
#define SLOTS 16
#endif
