// Compiles and runs small programs with the compilers of this machine, for tests of written code.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "core/files.h"

namespace warpwright::testing {

struct CommandResult {
  int exit_code = -1;
  std::string output;  // stdout and stderr
};

class HostCompiler {
 public:
  std::filesystem::path write(const std::string& name, std::string_view text) const {
    std::ofstream(folder_.path() / name, std::ios::binary) << text;
    return folder_.path() / name;
  }
  // A shell command in the folder.
  CommandResult run(const std::string& command) const {
    const auto log = folder_.path() / "log";
    const int status = std::system(
        ("cd '" + folder_.path().string() + "' && ( " + command + " ) >log 2>&1").c_str());
    std::ifstream in(log, std::ios::binary);
    return {WEXITSTATUS(status), std::string(std::istreambuf_iterator<char>(in), {})};
  }
  [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }

  // Exported headers are promised to compile without any of these warnings.
  static constexpr const char* kWarnings = " -Wall -Wextra -Wconversion -Werror -pedantic ";

 private:
  TemporaryFolder folder_{"warpwright-host-compiler"};
};

}  // namespace warpwright::testing
