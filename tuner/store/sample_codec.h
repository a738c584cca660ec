// Encodes raw samples for table `sample`: encoding "f32le" is one IEEE binary32 per sample,
// little-endian, in microseconds, in the order taken. Events deliver binary32 themselves; the
// rounding is below 6e-8 of the value.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace warpwright {

inline constexpr std::string_view kSampleEncoding = "f32le";

[[nodiscard]] std::vector<std::byte> encode_samples(std::span<const double> samples_us);
// Throws Error (user) on an unknown encoding or a length that is not a multiple of four; the caller
// adds the trial.
[[nodiscard]] std::vector<double> decode_samples(std::string_view encoding,
                                                 std::span<const std::byte> data);

}  // namespace warpwright
