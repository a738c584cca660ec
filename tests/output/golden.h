// Compares a text with tests/golden/NAME. WARPWRIGHT_UPDATE_GOLDEN=1 writes the file instead; look
// at the difference in git.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace warpwright::testing {

inline void expect_golden(const std::string& name, const std::string& text) {
  const auto path = std::filesystem::path(WARPWRIGHT_SOURCE_DIR) / "tests" / "golden" / name;
  if (std::getenv("WARPWRIGHT_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  std::ifstream in(path, std::ios::binary);
  ASSERT_TRUE(in.is_open()) << path << " is missing; make it with WARPWRIGHT_UPDATE_GOLDEN=1";
  EXPECT_EQ(text, std::string(std::istreambuf_iterator<char>(in), {})) << "against " << path;
}

}  // namespace warpwright::testing
