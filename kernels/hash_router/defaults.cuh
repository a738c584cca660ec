// The defaults of kernel.yaml, for a source that is compiled alone; Warpwright gives each value as
// -D. tests/scripts/kernel_defaults_test.py compares this file with the contract.
#pragma once

// Sizes of the problem that are compiled in.
#ifndef TOP_K
#define TOP_K 6
#endif
#ifndef WEIGHTS
#define WEIGHTS gate
#endif

// Parameters.
#ifndef THREADS
#define THREADS 128
#endif
#ifndef TOKENS
#define TOKENS 1
#endif
