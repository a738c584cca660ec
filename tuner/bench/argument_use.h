// The accesses that the emulator observed in a launch, by the arrays of the contract: how many
// bytes, and which elements one block accesses, in the contract's axes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/expr/expr.h"
#include "emu/observe/observation.h"
#include "spec/kernel_spec.h"

namespace warpwright {

// Bytes of an array, as the smallest box of elements that contains them.
struct ArrayRegion {
  std::uint64_t bytes = 0;  // distinct ones
  std::size_t ranges = 0;   // contiguous pieces
  // Half open, an axis each; empty if nothing is accessed or the shape is not known.
  std::vector<std::pair<std::int64_t, std::int64_t>> box;
  bool fills_box = false;  // every element of the box is accessed
};

// Ranges in bytes, ascending and apart; a box is only found for whole elements of `element_bytes`.
[[nodiscard]] ArrayRegion region_of(const std::vector<emu::ByteRange>& ranges,
                                    const std::vector<std::int64_t>& shape,
                                    std::size_t element_bytes);

struct ArgumentUse {
  std::string name;
  std::string role;   // "in", "out", "in-out", "scratch"; "variable" of the module
  std::string dtype;  // "" for variables
  std::vector<std::int64_t> shape;
  std::string shape_text;  // as the contract has it: "rows, d"
  std::uint64_t bytes = 0;
  // By all requests of the launch, and distinct ones.
  std::uint64_t read = 0, distinct_read = 0;
  std::uint64_t written = 0, distinct_written = 0;
  bool atomics = false;
  ArrayRegion block_reads, block_writes;  // of the described block
};

// The arrays that the launch has as arguments, directly or through a tensor map, in the order of
// the contract, and module variables that it accessed.
[[nodiscard]] std::vector<ArgumentUse> argument_uses(
    const KernelSpec& kernel, const std::vector<const ArgumentSpec*>& arguments,
    const Environment& environment, const emu::Observation& observation);

}  // namespace warpwright
