// The defaults of kernel.yaml, for a source that is compiled alone; Warpwright gives each value as
// -D. tests/scripts/kernel_defaults_test.py compares this file with the contract.
#pragma once

// Sizes of the problem that are compiled in.
#ifndef DTYPE
#define DTYPE f32
#endif

// Parameters.
#ifndef THREADS
#define THREADS 256
#endif
#ifndef CHAINS
#define CHAINS 8
#endif
