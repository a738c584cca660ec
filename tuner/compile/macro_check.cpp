#include "compile/macro_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <utility>

#include "core/words.h"

namespace warpwright {
namespace {

constexpr std::string_view kMark = "WARPWRIGHT_REPLACED ";

using Define = std::pair<std::string, std::string>;

bool is_integer(const std::string& value) {
  std::int64_t number = 0;
  const char* end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, number);
  return error == std::errc() && stop == end;
}

// Accepts "#define NAME ..." and "# define NAME" and returns the text behind the word, or nothing.
std::string_view after_directive(std::string_view line, std::string_view directive) {
  line = trim(line);
  if (!line.starts_with('#')) return {};
  line = trim(line.substr(1));
  if (!line.starts_with(directive)) return {};
  const std::string_view rest = line.substr(directive.size());
  return rest.empty() || (rest[0] != ' ' && rest[0] != '\t') ? std::string_view() : trim(rest);
}

bool is_about(std::string_view rest, std::string_view name) {
  if (!rest.starts_with(name)) return false;
  return rest.size() == name.size() || !is_word(rest[name.size()]);
}

struct Place {
  std::string where;  // as file:line
  std::string line;
};

// Returns the last #define of the name that is not directly below an #ifndef of it.
std::optional<Place> find_define(const std::vector<SourceFile>& files, std::string_view name) {
  std::optional<Place> found;
  for (const SourceFile& file : files) {
    bool guarded = false;
    int number = 0;
    std::string_view rest = file.content;
    while (file.found && !rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      const std::string_view line = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      ++number;
      if (is_about(after_directive(line, "define"), name) && !guarded)
        found = Place{fmt::format("{}:{}", file.path.string(), number), std::string(trim(line))};
      if (!trim(line).empty()) guarded = is_about(after_directive(line, "ifndef"), name);
    }
  }
  return found;
}

std::string failure(const Define& define, const CompileJob& job,
                    const std::vector<SourceFile>& files) {
  const std::optional<Place> place = find_define(files, define.first);
  return fmt::format(
      "{}: error: {} takes the place of -D{}={}, so that what a sweep chooses would change "
      "nothing; "
      "remove it, or put it between #ifndef {} and #endif",
      place ? place->where : job.source.string(),
      place ? "'" + place->line + "'" : "a #define of " + define.first, define.first, define.second,
      define.first);
}

}  // namespace

std::string macro_checks(const CompileJob& job) {
  std::string text = "\n";
  for (const auto& [name, value] : job.defines) {
    if (!is_integer(value)) continue;
    text += fmt::format("#ifdef {0}\n#if ({0}) != ({1})\n#error \"{2}{0}\"\n#endif\n#endif\n", name,
                        value, kMark);
  }
  return text;
}

std::optional<std::string> replaced_macro(std::string_view log, const CompileJob& job,
                                          const std::vector<SourceFile>& files) {
  for (const Define& define : job.defines) {
    const std::string marked = fmt::format("\"{}{}\"", kMark, define.first);
    const std::string warned =
        fmt::format("incompatible redefinition of macro \"{}\"", define.first);
    if (log.find("#error directive: " + marked) != std::string_view::npos ||
        log.find(warned) != std::string_view::npos)
      return failure(define, job, files);
  }
  return std::nullopt;
}

std::optional<std::string> broken_headers(std::string_view log, const CompileJob& job) {
  constexpr std::string_view kHeader = "__nv_nvrtc_builtin_header.h(";
  if (job.defines.empty() || log.find(kHeader) == std::string_view::npos) return std::nullopt;
  std::string names;
  for (const Define& define : job.defines) names += (names.empty() ? "-D" : ", -D") + define.first;
  return fmt::format(
      "{}: error: the compiler's own headers do not compile with the macros {}: they use one of "
      "these "
      "names; rename the parameter, or pass it as a template argument of the entry",
      job.source.string(), names);
}

}  // namespace warpwright
