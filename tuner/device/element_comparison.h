// Compares the elements of an array on a device with their expected values. The device only
// identifies correct elements; the host judges those that may be wrong.
#pragma once

#include <cstdint>

namespace warpwright {

// How elements are converted to doubles; the kernel ww_compare uses the same values.
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
  std::uint64_t units = 0;          // indices of the compared units, as i64; 0: all
  std::uint64_t unit_elements = 1;  // elements of a unit
  std::uint64_t count = 0;          // compared elements: the length of `expected` and `allowed`
  std::uint64_t expected = 0;       // f64
  std::uint64_t allowed = 0;        // f64: the allowed error of each; below 0: never right
  std::uint64_t table = 0;          // f64, for kByte and kHalf
};

struct ElementsFound {
  std::uint64_t wrong = 0;  // elements that exceed the allowed error, including NaNs
  // Maxima over the elements within the allowed error.
  double max_abs = 0;
  double max_rel = 0;  // relative to the expected value, if that is not 0
  double worst_ratio = 0;
};

}  // namespace warpwright
