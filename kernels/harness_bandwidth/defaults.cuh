// The defaults of kernel.yaml, for a source that is compiled alone; Warpwright gives each value as
// -D. tests/scripts/kernel_defaults_test.py compares this file with the contract.
#pragma once

// Parameters.
#ifndef THREADS
#define THREADS 256
#endif
#ifndef UNROLL
#define UNROLL 8
#endif
#ifndef THREADS_PER_SM
#define THREADS_PER_SM 1024
#endif
#ifndef LOAD_HINT
#define LOAD_HINT none
#endif
#ifndef STORE_HINT
#define STORE_HINT none
#endif
