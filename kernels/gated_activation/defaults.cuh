// The defaults of kernel.yaml, for a source that is compiled alone; Warpwright gives each value as
// -D. tests/scripts/kernel_defaults_test.py compares this file with the contract.
#pragma once

// Sizes of the problem that are compiled in.
#ifndef ACTIVATION
#define ACTIVATION silu
#endif
#ifndef DTYPE
#define DTYPE bf16
#endif

// Parameters.
#ifndef THREADS
#define THREADS 256
#endif
#ifndef THREADS_PER_SM
#define THREADS_PER_SM 1024
#endif
#ifndef UNROLL
#define UNROLL 2
#endif
#ifndef PREFETCH
#define PREFETCH 1
#endif
#ifndef VECTOR_BYTES
#define VECTOR_BYTES 16
#endif
#ifndef LOAD_HINT
#define LOAD_HINT none
#endif
#ifndef STORE_HINT
#define STORE_HINT none
#endif
