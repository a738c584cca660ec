// Which inputs the reference's answer depends on: each in turn holds what it holds under another
// seed, and a few units are computed again. Inputs that are made from it are made anew, so that
// what the reference is given fits together. An input cannot be told when it is the same under both
// seeds, when it is made from another one, and when what is made would take long to make again.
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

// What is expected with another content of some inputs, on some of the given units.
struct SwappedAnswer {
  std::vector<std::string> inputs;     // one; several where generators make them together
  std::span<const std::size_t> units;  // indices into those that were given
  const ReferenceAnswer& answer;
};
// False when nothing has changed: then it is called again, with more units, until it is the last
// time.
using JudgeSwap = std::function<bool(const SwappedAnswer& swapped, bool last)>;

// Calls `judge` for every input that can be told. One that the reference refuses to compute with
// cannot.
void swap_inputs(const KernelSpec& kernel, const Environment& environment, const ProblemData& first,
                 const ProblemData& other, std::span<const std::int64_t> units,
                 const JudgeSwap& judge);

// At most `wanted` of so many, evenly, the first and the last among them; of one, the middle one.
[[nodiscard]] std::vector<std::size_t> spread_positions(std::size_t wanted, std::size_t all);

}  // namespace warpwright
