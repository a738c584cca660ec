// Runs the built `warpwright` as a user would, in a folder of its own, and keeps what it printed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "support/write_text.h"

namespace warpwright::testing {

struct ProgramResult {
  int exit_code = -1;  // 128 + signal when it was killed
  std::string out;
  std::string err;
};

// Waits for the end. `environment` entries are "NAME=value".
[[nodiscard]] ProgramResult run_program(const std::vector<std::string>& arguments,
                                        const std::vector<std::string>& environment = {});

// The same on a terminal of its own: `out` is all that it was sent, `err` empty.
[[nodiscard]] ProgramResult run_on_terminal(const std::vector<std::string>& arguments,
                                            unsigned short columns, unsigned short rows,
                                            const std::vector<std::string>& environment = {});

// Starts the program in a process group of its own and returns its pid at once; output goes to the
// files.
[[nodiscard]] int start_program(const std::vector<std::string>& arguments,
                                const std::filesystem::path& out, const std::filesystem::path& err);

[[nodiscard]] std::string warpwright_program();

// A folder with a small kernel that squares numbers, three variants of it, and a sweep;
// `folder/kernels/square` and `folder/square.yaml`. Written for tests: nothing of it is in the
// repository's kernels.
void write_square_kernel(const std::filesystem::path& folder);

}  // namespace warpwright::testing
