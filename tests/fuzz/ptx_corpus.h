// The source of PTX inputs: NVRTC's output for the emulator's own test kernels.
#pragma once

#include <string>
#include <vector>

#include "fuzz/mutator.h"

namespace warpwright::fuzz {

// `opcodes` are further words to put in.
[[nodiscard]] Mutator ptx_mutator(std::vector<std::string> opcodes = {});

}  // namespace warpwright::fuzz
