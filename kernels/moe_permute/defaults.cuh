// The defaults of kernel.yaml, for a source that is compiled alone; Warpwright gives each value as
// -D. tests/scripts/kernel_defaults_test.py compares this file with the contract.
#pragma once

// Parameters.
#ifndef THREADS
#define THREADS 512
#endif
#ifndef PER_THREAD
#define PER_THREAD 1
#endif
