// Conversions of floats of 4, 6 and 8 bits and directed roundings to f16, in scalar code: they are
// rare and run lane by lane. Roundings to nearest saturate to the largest finite number, as
// .satfinite requires. NaN becomes NaN (0x7f), or the largest number if the format has no NaN.
#pragma once

#include <cstdint>

#include "emu/lanes/small_float.h"

namespace warpwright::emu {

[[nodiscard]] std::uint8_t float_to_small(SmallFormat format, float value, bool relu);
[[nodiscard]] float small_to_float(SmallFormat format, std::uint8_t bits);
[[nodiscard]] std::uint16_t float_to_half_toward_zero(float value);
[[nodiscard]] std::uint16_t float_to_half_directed(float value, bool up);
[[nodiscard]] std::uint16_t float_to_bf16_up(float value);
// Rounds |value| down to a power of two, or up if `up`. Values beyond the largest power, including
// infinity, give NaN (0xff), or the largest (0xfe) if `saturate`.
[[nodiscard]] std::uint8_t float_to_ue8m0(float value, bool up, bool saturate);
[[nodiscard]] std::uint16_t ue8m0_to_bf16(std::uint8_t bits);

}  // namespace warpwright::emu
