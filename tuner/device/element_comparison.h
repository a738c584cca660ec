// Holding the elements of an array on a device against what is expected of each. Only what is right
// is told apart there: what may be wrong is for the host to look at.
#pragma once

#include <cstdint>

namespace warpwright {

// How elements become doubles; the values are those of the kernel ww_compare.
enum class ElementKind : std::uint64_t {
  kByte = 0,  // by a table of 256 doubles
  kHalf = 1,  // by a table of 65,536
  kF32 = 2,
  kI32 = 3,
  kU32 = 4,
  kF64 = 5,
  kI64 = 6,
  kU64 = 7
};

// All arrays lie on the device, at these addresses.
struct ElementComparison {
  ElementKind kind = ElementKind::kF32;
  std::uint64_t got = 0;            // the whole array
  std::uint64_t units = 0;          // which units of it count, as i64; 0: all
  std::uint64_t unit_elements = 1;  // elements of a unit
  std::uint64_t count = 0;          // elements that count: `expected` and `allowed` have as many
  std::uint64_t expected = 0;       // f64
  std::uint64_t allowed = 0;        // f64: how far off each may be; below 0: never right
  std::uint64_t table = 0;          // f64, for kByte and kHalf
};

struct ElementsFound {
  std::uint64_t wrong = 0;  // elements that are not within what is allowed, NaNs among them
  // Over those that are.
  double max_abs = 0;
  double max_rel = 0;  // of the expected value, where that is not 0
  double worst_ratio = 0;
};

}  // namespace warpwright
