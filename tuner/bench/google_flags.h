// Google Benchmark's own options, checked before it sees them: where it would print its usage and
// exit with 0, or carry on with a default, we say what is wrong and exit with 2. Options may come
// from its environment variables too (BENCHMARK_FORMAT=json).
#pragma once

#include <string>
#include <vector>

namespace warpwright {

struct GoogleFlags {
  std::vector<std::string> arguments;  // "--benchmark_filter=x", to be handed on
  std::string filter;
  std::string format = "console";
  std::string out;  // a file, besides what is printed
  std::string out_format = "json";
  std::string colour = "auto";
  bool tabular = false;
  bool list = false;
};

// True for what this file understands: "--benchmark_...", "--v=2".
[[nodiscard]] bool is_google_flag(const std::string& argument);

// `json` is the verb's own --json. Throws Error (user).
[[nodiscard]] GoogleFlags check_google_flags(const std::vector<std::string>& arguments, bool json);

}  // namespace warpwright
