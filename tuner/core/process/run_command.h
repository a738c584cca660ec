// Runs a program to completion and captures its output: the system compiler, git.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace warpwright {

struct CommandResult {
  int exit_code = 0;   // 128 + signal when a signal ended it, as in shells
  std::string output;  // stdout and stderr together
};

// No shell is involved. Throws Error (environment) when the program cannot be started.
[[nodiscard]] CommandResult run_command(const std::vector<std::string>& arguments);

// The file that PATH resolves `name` to (or `name` itself if it contains a slash and is
// executable); nullopt if there is none.
[[nodiscard]] std::optional<std::filesystem::path> find_program(const std::string& name);

}  // namespace warpwright
