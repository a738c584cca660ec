// The defaults of kernel.yaml, for a source that is compiled alone; Warpwright gives each value as
// -D. tests/scripts/kernel_defaults_test.py compares this file with the contract.
#pragma once

// Sizes of the problem that are compiled in.
#ifndef DTYPE
#define DTYPE bf16
#endif

// Parameters.
#ifndef THREADS
#define THREADS 256
#endif
#ifndef LANES
#define LANES 64
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef VECTOR_BYTES
#define VECTOR_BYTES 16
#endif
#ifndef STORE_HINT
#define STORE_HINT none
#endif
