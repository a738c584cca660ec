// The defaults of kernel.yaml, for a source that is compiled alone; Warpwright gives each value as
// -D. tests/scripts/kernel_defaults_test.py compares this file with the contract.
#pragma once

// Sizes of the problem that are compiled in.
#ifndef LATENCY
#define LATENCY add
#endif
