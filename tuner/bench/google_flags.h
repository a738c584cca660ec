// Google Benchmark's own options, checked before they are passed on: where the library would print
// its usage and exit with 0, or continue with a default, we report the error and exit with 2.
// Options may also come from its environment variables (BENCHMARK_FORMAT=json).
#pragma once

#include <string>
#include <vector>

namespace warpwright {

struct GoogleFlags {
  std::vector<std::string> arguments;  // "--benchmark_filter=x", to be passed on
  std::string filter;
  std::string format = "console";
  std::string out;  // a file, in addition to the printed output
  std::string out_format = "json";
  std::string colour = "auto";
  bool tabular = false;
  bool list = false;
};

// True for the options handled by this file: "--benchmark_...", "--v=2".
[[nodiscard]] bool is_google_flag(const std::string& argument);

// `json` is the verb's own --json. Throws Error (user).
[[nodiscard]] GoogleFlags check_google_flags(const std::vector<std::string>& arguments, bool json);

}  // namespace warpwright
