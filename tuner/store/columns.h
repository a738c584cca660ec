// JSON columns of the database as values, read on first use, and the encoding of raw samples.
// Nothing else parses a column, so that unreadable ones are reported in one way.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "records/stored.h"

namespace warpwright {

// Throws damaged_column().
[[nodiscard]] nlohmann::json parse_column(const std::string& text, const ColumnName& name);

// "" means not known.
template <class T>
[[nodiscard]] Stored<T> stored_column(std::string text, const ColumnName& name) {
  return Stored<T>::from_column(std::move(text), name, &parse_column);
}

// Encodes raw samples for table `sample`: encoding "f32le" is one IEEE binary32 per sample,
// little-endian, in microseconds, in the order taken. Events deliver binary32 themselves; the
// rounding is below 6e-8 of the value.
inline constexpr std::string_view kSampleEncoding = "f32le";

[[nodiscard]] std::vector<std::byte> encode_samples(std::span<const double> samples_us);
// Throws Error (user) on an unknown encoding or a length that is not a multiple of four; the caller
// adds the trial.
[[nodiscard]] std::vector<double> decode_samples(std::string_view encoding,
                                                 std::span<const std::byte> data);

}  // namespace warpwright
