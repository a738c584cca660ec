// The defaults of kernel.yaml, for a source that is compiled alone; Warpwright gives each value as
// -D. tests/scripts/kernel_defaults_test.py compares this file with the contract.
#pragma once

// Sizes of the problem that are compiled in.
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
#ifndef ROW_STRIDE
#define ROW_STRIDE 0
#endif

// Sizes of the problem without a default: values that occur.
#ifndef EXPERTS
#define EXPERTS 256
#endif
#ifndef TOP_K
#define TOP_K 6
#endif

// Parameters.
#ifndef WARPS
#define WARPS 4
#endif
#ifndef LANES
#define LANES 32
#endif
#ifndef SLOTS
#define SLOTS 32
#endif
#ifndef PASSES
#define PASSES 1
#endif
#ifndef MIN_WARPS_PER_SM
#define MIN_WARPS_PER_SM 32
#endif
