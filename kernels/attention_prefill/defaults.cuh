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
#ifndef TILE_Q
#define TILE_Q 64
#endif
#ifndef TILE_KV
#define TILE_KV 128
#endif
#ifndef WARPS
#define WARPS 4
#endif
#ifndef STAGES
#define STAGES 2
#endif
#ifndef CONSUMER_GROUPS
#define CONSUMER_GROUPS 2
#endif
#ifndef CONSUMER_REGISTERS
#define CONSUMER_REGISTERS 240
#endif
#ifndef PRODUCER_REGISTERS
#define PRODUCER_REGISTERS 24
#endif
#ifndef OVERLAP
#define OVERLAP 1
#endif
#ifndef PING_PONG
#define PING_PONG 1
#endif
#ifndef MASK
#define MASK split
#endif
#ifndef SLACK
#define SLACK 8
#endif
#ifndef KEYS
#define KEYS descending
#endif
#ifndef SCHEDULE
#define SCHEDULE counter
#endif
#ifndef ORDER
#define ORDER longest_first
#endif
#ifndef SECTION
#define SECTION 0
#endif
#ifndef PRODUCER_WARPS
#define PRODUCER_WARPS 4
#endif
#ifndef CONSUMER_WARPS
#define CONSUMER_WARPS 8
#endif
#ifndef SWIZZLE
#define SWIZZLE 128
#endif
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 1
#endif
#ifndef SCORES
#define SCORES shared
#endif
#ifndef REGISTERS
#define REGISTERS 0
#endif
