#include "store/columns.h"

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "core/error.h"

namespace warpwright {

nlohmann::json parse_column(const std::string& text, const ColumnName& name) {
  nlohmann::json parsed = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (parsed.is_discarded()) throw damaged_column(name, text);
  return parsed;
}

std::vector<std::byte> encode_samples(std::span<const double> samples_us) {
  std::vector<std::byte> data;
  data.reserve(samples_us.size() * 4);
  for (const double sample : samples_us) {
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(sample));
    for (int shift = 0; shift < 32; shift += 8)
      data.push_back(static_cast<std::byte>(bits >> shift));
  }
  return data;
}

std::vector<double> decode_samples(std::string_view encoding, std::span<const std::byte> data) {
  if (encoding != kSampleEncoding) {
    throw user_error(
        fmt::format("samples have encoding '{}', this warpwright reads '{}'; update it", encoding,
                    kSampleEncoding));
  }
  if (data.size() % 4 != 0) {
    throw user_error(
        fmt::format("samples are damaged: expected a multiple of 4 bytes, got {}", data.size()));
  }
  std::vector<double> samples;
  samples.reserve(data.size() / 4);
  for (std::size_t at = 0; at < data.size(); at += 4) {
    std::uint32_t bits = 0;
    for (std::size_t byte = 0; byte < 4; ++byte)
      bits |= std::to_integer<std::uint32_t>(data[at + byte]) << (8 * byte);
    samples.push_back(std::bit_cast<float>(bits));
  }
  return samples;
}

}  // namespace warpwright
