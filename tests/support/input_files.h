// The bytes of files that inputs are read from: .npy as numpy.save() writes them, .safetensors.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace warpwright::testing {

// A file with this header, whatever it says.
inline std::string numpy_with_header(std::string header, const std::string& data) {
  constexpr std::size_t kBefore = 10;
  while ((kBefore + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string text = "\x93NUMPY";
  text += '\x01';
  text += '\0';
  text += static_cast<char>(header.size() % 256);
  text += static_cast<char>(header.size() / 256);
  return text + header + data;
}

// `descr` is numpy's dtype ("<f4"), `shape` its tuple ("(3, 4)").
inline std::string numpy_text(const std::string& descr, const std::string& shape,
                              const std::string& data) {
  return numpy_with_header(
      "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }", data);
}

template <typename Number>
std::string bytes_of(const std::vector<Number>& numbers) {
  std::string bytes(numbers.size() * sizeof(Number), '\0');
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

// The other way round.
template <typename Number>
std::vector<Number> numbers_of(std::span<const std::byte> bytes) {
  std::vector<Number> numbers(bytes.size() / sizeof(Number));
  std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(Number));
  return numbers;
}

// A .safetensors file with this header.
inline std::string safetensors_text(const std::string& header, const std::string& data) {
  const std::uint64_t length = header.size();
  std::string text(sizeof length, '\0');
  std::memcpy(text.data(), &length, sizeof length);
  return text + header + data;
}

}  // namespace warpwright::testing
