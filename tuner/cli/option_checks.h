// Checks of option values that CLI11's conversions would wrap around, or that a verb would take for
// "not given". An error message quotes the value; CLI11 puts the option's name in front of it.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <string>

namespace warpwright {

// Accepts only digits, with a value of at least `least`: "-1" would become 2^64 - 1.
inline CLI::Validator whole_number(std::uint64_t least = 0) {
  return CLI::Validator(
      [least](std::string& text) -> std::string {
        std::uint64_t value = 0;
        const char* last = text.data() + text.size();
        const auto [end, error] = std::from_chars(text.data(), last, value);
        if (error == std::errc() && end == last && value >= least) return "";
        return fmt::format("got '{}', expected a whole number of at least {}", text, least);
      },
      "");
}

inline CLI::Validator not_empty(const std::string& expected) {
  return CLI::Validator(
      [expected](std::string& text) -> std::string {
        return text.empty() ? fmt::format("got '', expected {}", expected) : "";
      },
      "");
}

}  // namespace warpwright
