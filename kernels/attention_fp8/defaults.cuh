// The defaults of kernel.yaml, for a source that is compiled alone; Warpwright gives each value as
// -D. tests/scripts/kernel_defaults_test.py compares this file with the contract.
#pragma once

// Sizes of the problem that are compiled in.
#ifndef HEAD_DIM
#define HEAD_DIM 128
#endif
#ifndef V_DTYPE
#define V_DTYPE e4m3
#endif

// Parameters.
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
#ifndef WAIT
#define WAIT late
#endif
#ifndef PING_PONG
#define PING_PONG 1
#endif
#ifndef SUMS
#define SUMS f32
#endif
#ifndef POLYNOMIALS
#define POLYNOMIALS 0
#endif
#ifndef SLACK
#define SLACK 0
#endif
#ifndef SCHEDULE
#define SCHEDULE counter
#endif
#ifndef SECTION
#define SECTION 0
#endif
