// The defaults of kernel.yaml, for a source that is compiled alone; Warpwright gives each value as
// -D. tests/scripts/kernel_defaults_test.py compares this file with the contract.
#pragma once

// Sizes of the problem without a default: values that occur.
#ifndef CEILING
#define CEILING tensor_bf16
#endif

// Parameters.
#ifndef WARPS
#define WARPS 8
#endif
#ifndef GROUPS
#define GROUPS 2
#endif
#ifndef SWIZZLE
#define SWIZZLE 128
#endif
