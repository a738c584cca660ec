// Shared by the tests of tuner/spec: the fixture contract and sweep, edits of them, and the
// messages they produce. Messages show the fixture's folder as DIR, so that they can be compared
// exactly.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "core/error.h"
#include "core/files.h"
#include "spec/kernel_spec.h"
#include "spec/sweep_spec.h"

namespace warpwright {

struct BadEdit {
  const char* name;
  std::string_view from;  // its first occurrence is replaced
  std::string_view to;
  std::string_view message;
};

struct BadText {
  const char* name;
  std::string_view text;
  std::string_view message;
};

template <typename Case>
std::string case_name(const testing::TestParamInfo<Case>& info) {
  return info.param.name;
}

template <typename Case>
void PrintTo(const Case& bad, std::ostream* out) requires requires {
  bad.message;
}
{ *out << bad.name; }

inline std::filesystem::path fixture_folder() {
  return std::filesystem::path(WARPWRIGHT_SOURCE_DIR) / "tests/fixtures/yaml";
}
inline std::filesystem::path kernel_folder() { return fixture_folder() / "softmax_topk"; }
inline KernelSpec fixture_kernel() { return read_kernel(kernel_folder() / "kernel.yaml"); }

inline std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << "the fixture no longer holds: " << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

inline std::string edited_kernel(std::string_view from, std::string_view to) {
  return replaced(read_file(kernel_folder() / "kernel.yaml"), from, to);
}

// The message of the Error that `read` throws; "" if it throws none.
template <typename Function>
std::string message_of(Function&& read) {
  try {
    read();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::kUser) << error.what();
    std::string message = error.what();
    const std::string folder = kernel_folder().string();
    for (std::size_t at = message.find(folder); at != std::string::npos;
         at = message.find(folder)) {
      message.replace(at, folder.size(), "DIR");
    }
    return message;
  }
  return "";
}

// The contract itself is shown as kernel.yaml.
inline std::string kernel_message(std::string_view text) {
  const std::string message =
      message_of([&] { static_cast<void>(parse_kernel(text, kernel_folder() / "kernel.yaml")); });
  return message.starts_with("DIR/") ? message.substr(4) : message;
}
inline std::string sweep_message(std::string_view text) {
  return message_of([&] { static_cast<void>(parse_sweep(text, "sweep.yaml")); });
}
inline std::string checked_message(std::string_view text) {
  return message_of([&] { check_sweep(parse_sweep(text, "sweep.yaml"), fixture_kernel()); });
}

}  // namespace warpwright
