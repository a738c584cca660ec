// Block-scaled formats in double precision, for the references of kernels that read them. Values of
// codes: OCP Microscaling Formats 1.0 (e2m1, ue8m0), OFP8 1.0 (e4m3); ue4m3 is e4m3 without a sign.
#pragma once

#include <cmath>
#include <limits>

#include "reference.h"

namespace ww {

// Nibble `index` of a tensor of bytes, the lower one of a byte first.
inline double load_e2m1(const ww_tensor* tensor, int64_t index) {
  static constexpr double kMagnitudes[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  const int code = static_cast<const uint8_t*>(tensor->data)[index / 2] >> (index % 2 * 4) & 15;
  return code < 8 ? kMagnitudes[code] : -kMagnitudes[code - 8];
}

inline double load_ue4m3(const ww_tensor* tensor, int64_t index) {
  return from_e4m3(static_cast<const uint8_t*>(tensor->data)[index] & 0x7f);
}

inline double load_ue8m0(const ww_tensor* tensor, int64_t index) {
  const int code = static_cast<const uint8_t*>(tensor->data)[index];
  return code == 255 ? std::numeric_limits<double>::quiet_NaN() : std::ldexp(1.0, code - 127);
}

}  // namespace ww
