// The bytes of a value as an argument of a launch.
#pragma once

#include <cstddef>
#include <cstring>
#include <vector>

namespace warpwright::testing {

template <typename T>
std::vector<std::byte> argument_bytes(T value) {
  std::vector<std::byte> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

}  // namespace warpwright::testing
