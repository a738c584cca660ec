// A file with this text, in a folder that is made where it is missing.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

namespace warpwright::testing {

inline void write_text(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

}  // namespace warpwright::testing
