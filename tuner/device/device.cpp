#include "device/device.h"

#include <cstring>

namespace warpwright {

void Device::scatter(DeviceBuffer& to, std::size_t offset, std::size_t bytes, std::uint32_t mask,
                     std::uint64_t seed) {
  std::vector<std::byte> content(bytes);
  download(content, to, offset);
  const std::size_t words = bytes / sizeof mask;
  for (std::size_t i = 0; i < words; ++i) {
    if (!scatters(seed, words, i)) continue;
    std::uint32_t word = 0;
    std::memcpy(&word, content.data() + i * sizeof word, sizeof word);
    word ^= mask;
    std::memcpy(content.data() + i * sizeof word, &word, sizeof word);
  }
  upload(to, offset, content);
}

}  // namespace warpwright
