#include "bench/google_flags.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <regex>

#include "core/error.h"
#include "core/words.h"

namespace warpwright {
namespace {

enum class Kind {
  kBool,
  kText,
  kCount,
  kSeconds,
  kWarmUp,
  kFormat,
  kFile,
  kRegex,
  kUnit,
  kPairs,
  kLevel,
  kRefused
};

struct Flag {
  const char* name;
  Kind kind;
};

// The union over the versions that distributions ship; the installed version itself reports the
// options that it lacks.
constexpr Flag kFlags[] = {
    {"benchmark_list_tests", Kind::kBool},
    {"benchmark_filter", Kind::kRegex},
    {"benchmark_min_time", Kind::kSeconds},
    {"benchmark_min_warmup_time", Kind::kWarmUp},
    {"benchmark_repetitions", Kind::kCount},
    {"benchmark_dry_run", Kind::kBool},
    {"benchmark_enable_random_interleaving", Kind::kBool},
    {"benchmark_report_aggregates_only", Kind::kBool},
    {"benchmark_display_aggregates_only", Kind::kBool},
    {"benchmark_format", Kind::kFormat},
    {"benchmark_out", Kind::kFile},
    {"benchmark_out_format", Kind::kFormat},
    {"benchmark_color", Kind::kText},
    {"benchmark_counters_tabular", Kind::kBool},
    {"benchmark_context", Kind::kPairs},
    {"benchmark_time_unit", Kind::kUnit},
    {"benchmark_perf_counters", Kind::kRefused},
    {"v", Kind::kLevel},
};

const Flag* find_flag(std::string_view name) {
  const auto found = std::find_if(std::begin(kFlags), std::end(kFlags),
                                  [&](const Flag& flag) { return flag.name == name; });
  return found == std::end(kFlags) ? nullptr : found;
}

std::optional<double> read_real(std::string_view text) {
  double value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

bool one_of(const std::string& text, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(), [&](const char* word) { return text == word; });
}

bool is_bool(const std::string& text) {
  return one_of(text, {"true", "false", "yes", "no", "1", "0", "on", "off"});
}

bool truthy(const std::string& text) { return one_of(text, {"true", "yes", "1", "on"}); }

// Returns the expected form if the text is wrong, else "".
std::string check_seconds(std::string text, bool warm_up) {
  const bool iterations = !warm_up && text.ends_with('x');
  if (!text.empty() && (iterations || text.ends_with('s'))) text.pop_back();
  const std::optional<double> value = read_real(text);
  if (value && (*value > 0 || (warm_up && *value == 0))) return "";
  return warm_up ? "seconds, 0 or more, as in 0.1" : "seconds above 0, as in 0.5";
}

std::string check_whole(const std::string& text, std::int64_t least) {
  std::int64_t value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool good = fault == std::errc() && end == text.data() + text.size() && value >= least &&
                    value <= 1'000'000'000;
  return good ? "" : fmt::format("a whole number, {} or more", least);
}

std::string check_regex(std::string text) {
  if (text.starts_with('-')) text.erase(0, 1);  // "-REGEX" selects all that do not match
  try {
    const std::regex compiled(text, std::regex_constants::extended);
    return "";
  } catch (const std::regex_error& error) {
    return fmt::format("a POSIX extended regular expression ({})", error.what());
  }
}

std::string check_file(const std::string& text) {
  std::error_code ignored;
  if (text.empty()) return "a file name";
  if (std::filesystem::is_directory(text, ignored)) return "a file, and this is a folder";
  const std::filesystem::path file(text);
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  const bool writable = std::filesystem::exists(file, ignored)
                            ? ::access(file.c_str(), W_OK) == 0
                            : ::access(folder.c_str(), W_OK) == 0;
  return writable ? "" : "a file that can be written";
}

std::string check_pairs(const std::string& text) {
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string pair = text.substr(begin, end - begin);
    if (std::count(pair.begin(), pair.end(), '=') != 1 || pair.front() == '=')
      return "KEY=VALUE, or several with commas";
    begin = end + 1;
  }
  return "";
}

std::string expected_instead(Kind kind, const std::string& text) {
  switch (kind) {
    case Kind::kBool:
      return is_bool(text) ? "" : "true or false";
    case Kind::kText:
      return is_bool(text) || text == "auto" ? "" : "auto, true or false";
    case Kind::kCount:
      return check_whole(text, 1);
    case Kind::kLevel:
      return check_whole(text, 0);
    case Kind::kSeconds:
      return check_seconds(text, false);
    case Kind::kWarmUp:
      return check_seconds(text, true);
    case Kind::kFormat:
      return one_of(text, {"console", "json", "csv"}) ? "" : "console, json or csv";
    case Kind::kFile:
      return check_file(text);
    case Kind::kRegex:
      return check_regex(text);
    case Kind::kUnit:
      return one_of(text, {"ns", "us", "ms", "s"}) ? "" : "ns, us, ms or s";
    case Kind::kPairs:
      return check_pairs(text);
    case Kind::kRefused:
      return "nothing: it counts events of this machine's CPU, and the kernels run elsewhere";
  }
  return "";
}

void note(const std::string& name, const std::string& value, GoogleFlags& flags) {
  if (name == "benchmark_filter") flags.filter = value;
  if (name == "benchmark_format") flags.format = value;
  if (name == "benchmark_out") flags.out = value;
  if (name == "benchmark_out_format") flags.out_format = value;
  if (name == "benchmark_color") flags.colour = value;
  if (name == "benchmark_counters_tabular") flags.tabular = truthy(value);
  if (name == "benchmark_list_tests") flags.list = truthy(value);
}

void check_value(const std::string& shown, const Flag& flag, const std::string& value) {
  const std::string expected = expected_instead(flag.kind, value);
  if (!expected.empty())
    throw user_error(fmt::format("{}: got '{}', expected {}", shown, value, expected));
}

void check_argument(const std::string& argument, GoogleFlags& flags) {
  const std::size_t equals = std::min(argument.find('='), argument.size());
  const std::string name = argument.substr(2, equals - 2);
  const Flag* flag = find_flag(name);
  if (flag == nullptr) {
    std::vector<std::string> known;
    for (const Flag& one : kFlags) known.push_back(std::string("--") + one.name);
    throw user_error(fmt::format("Google Benchmark has no option '--{}'{}", name,
                                 suggestion("--" + name, known)));
  }
  if (equals == argument.size() && flag->kind != Kind::kBool) {
    throw user_error(fmt::format("--{} needs a value after '=', as in --{}={}", name, name,
                                 flag->kind == Kind::kRegex ? "softmax" : "..."));
  }
  const std::string value = equals == argument.size() ? "true" : argument.substr(equals + 1);
  check_value("--" + name, *flag, value);
  note(name, value, flags);
  flags.arguments.push_back(argument);
}

void check_environment(GoogleFlags& flags) {
  for (const Flag& flag : kFlags) {
    if (flag.kind == Kind::kLevel) continue;
    std::string variable = flag.name;
    for (char& letter : variable)
      if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
    const char* value = std::getenv(variable.c_str());
    if (value == nullptr || *value == '\0') continue;
    check_value("the environment's " + variable, flag, value);
    note(flag.name, value, flags);
  }
}

}  // namespace

bool is_google_flag(const std::string& argument) {
  return argument.starts_with("--benchmark_") || argument.starts_with("--v=");
}

GoogleFlags check_google_flags(const std::vector<std::string>& arguments, bool json) {
  GoogleFlags flags;
  check_environment(flags);
  if (json) check_argument("--benchmark_format=json", flags);
  for (const std::string& argument : arguments) check_argument(argument, flags);
  return flags;
}

}  // namespace warpwright
