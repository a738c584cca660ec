// e4m3, e5m2 and directed roundings to f16, in plain code: these conversions are rare and run lane
// by lane. All to-conversions saturate to the largest finite number, as .satfinite asks; NaN
// becomes 0x7f.
#pragma once

#include <cstdint>

namespace warpwright::emu {

[[nodiscard]] std::uint8_t float_to_e4m3(float value, bool relu);
[[nodiscard]] std::uint8_t float_to_e5m2(float value, bool relu);
[[nodiscard]] float e4m3_to_float(std::uint8_t bits);
[[nodiscard]] float e5m2_to_float(std::uint8_t bits);
[[nodiscard]] std::uint16_t float_to_half_toward_zero(float value);
[[nodiscard]] std::uint16_t float_to_half_directed(float value, bool up);

}  // namespace warpwright::emu
