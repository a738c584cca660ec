// These functions find the inputs that the reference's answer depends on. They give one input after
// another the content that it has under another seed and compute a few units again. Inputs that are
// made from it are made again, so that the reference gets inputs that fit together. Three kinds of
// inputs are skipped: those that are equal under both seeds, those that are derived from others,
// and all inputs of a problem whose generated inputs would take long to make again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "spec/kernel_spec.h"
#include "trial/data/problem_data.h"

namespace warpwright {

// The reference's answer for another content of some inputs, on some of the given units.
struct SwappedAnswer {
  std::vector<std::string> inputs;     // one; several where generators make them together
  std::span<const std::size_t> units;  // indices into those that were given
  const ReferenceAnswer& answer;
};
// Returns false when no expected value has changed. The judge is then called again with more units,
// until `last` says that there are no more.
using JudgeSwap = std::function<bool(const SwappedAnswer& swapped, bool last)>;

// Calls `judge` for every input that is not skipped. An input whose other content the reference
// refuses is skipped, too.
void swap_inputs(const KernelSpec& kernel, const Environment& environment, const ProblemData& first,
                 const ProblemData& other, std::span<const std::int64_t> units,
                 const JudgeSwap& judge);

// Chooses at most `wanted` of the indices below `all`, evenly spaced, with the first and the last
// among them. A single index is the middle one.
[[nodiscard]] std::vector<std::size_t> spread_positions(std::size_t wanted, std::size_t all);

}  // namespace warpwright
