// The defaults of kernel.yaml, for a source that is compiled alone; Warpwright gives each value as
// -D. tests/scripts/kernel_defaults_test.py compares this file with the contract.
#pragma once

// Sizes of the problem that are compiled in.
#ifndef DTYPE
#define DTYPE f32
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
#ifndef THREADS
#define THREADS 512
#endif
