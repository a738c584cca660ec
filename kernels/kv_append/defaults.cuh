// The defaults of kernel.yaml, for a source that is compiled alone; Warpwright gives each value as
// -D. tests/scripts/kernel_defaults_test.py compares this file with the contract.
#pragma once

// Sizes of the problem that are compiled in.
#ifndef HEAD_DIM
#define HEAD_DIM 128
#endif
#ifndef PAGE
#define PAGE 0
#endif
#ifndef ROPE
#define ROPE none
#endif
#ifndef CACHE
#define CACHE bf16
#endif
#ifndef DTYPE
#define DTYPE bf16
#endif

// Parameters.
#ifndef THREADS
#define THREADS 128
#endif
#ifndef VECTOR_BYTES
#define VECTOR_BYTES 16
#endif
#ifndef ANGLES
#define ANGLES table
#endif
