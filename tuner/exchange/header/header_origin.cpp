#include "exchange/header/header_origin.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "core/error.h"
#include "core/file_bounds.h"
#include "core/files.h"
#include "core/hash.h"
#include "core/words.h"

namespace warpwright {
namespace {

constexpr std::string_view kAsked = "/* export: ";
constexpr std::string_view kWritten = "/* written by ";
constexpr std::string_view kSeal = "/* sha256 of what is above: ";
constexpr std::string_view kEnd = " */\n";

bool is_c_name(std::string_view text) {
  return !text.empty() && !is_digit(text.front()) &&
         std::all_of(text.begin(), text.end(), is_word) &&
         text.find("__") == std::string_view::npos;
}

// Finds "export:", which precedes the line that names the writing program. A kernel may have any
// name and any summary.
std::size_t find_asked(std::string_view text) {
  for (std::size_t at = text.find(kAsked); at != std::string_view::npos;
       at = text.find(kAsked, at + 1)) {
    const std::size_t end = text.find(kEnd, at);
    if (end == std::string_view::npos) return end;
    if (text.substr(end + kEnd.size()).starts_with(kWritten)) return at;
  }
  return std::string_view::npos;
}

// The rest of the one-line comment at `at`.
std::string comment_at(std::string_view text, std::size_t at, std::string_view start) {
  at += start.size();
  return std::string(text.substr(at, text.find(kEnd, at) - at));
}

// Every quoted text, as written by c_literal().
std::vector<std::string> quoted(std::string_view text) {
  std::vector<std::string> list;
  for (std::size_t at = text.find('"'); at != std::string_view::npos; at = text.find('"', at + 1)) {
    std::string& one = list.emplace_back();
    for (++at; at < text.size() && text[at] != '"'; ++at) {
      const bool octal =
          text[at] == '\\' && at + 3 < text.size() && text[at + 1] >= '0' && text[at + 1] <= '3';
      if (octal) {
        one += static_cast<char>((text[at + 1] - '0') << 6 | (text[at + 2] - '0') << 3 |
                                 (text[at + 3] - '0'));
        at += 3;
      } else {
        if (text[at] == '\\') ++at;
        if (at < text.size()) one += text[at];
      }
    }
  }
  return list;
}

std::string_view table(std::string_view text, std::string_view start) {
  const std::size_t at = text.find(start);
  if (at == std::string_view::npos) return {};
  return text.substr(at, text.find("\n};", at) - at);
}

}  // namespace

void check_header_options(const HeaderOptions& options) {
  if (!is_c_name(options.prefix) || options.prefix.front() == '_')
    throw user_error(fmt::format(
        "--prefix '{}': expected the beginning of a C identifier such as `ww_`, without a leading "
        "or a double underscore",
        options.prefix));
  std::string_view rest = options.name_space;
  for (bool more = !rest.empty(); more;) {
    const std::size_t end = rest.find("::");
    more = end != std::string_view::npos;
    if (!is_c_name(rest.substr(0, end)))
      throw user_error(
          fmt::format("--namespace '{}': expected names joined by `::`, such as "
                      "`acme::tuned`",
                      options.name_space));
    rest.remove_prefix(more ? end + 2 : rest.size());
  }
}

std::string header_origin(const HeaderOptions& options) {
  return fmt::format("{}{}{}{}{}{}", kAsked, options.asked, kEnd, kWritten, options.version, kEnd);
}

std::string header_seal(std::string_view text) {
  return fmt::format("{}{}{}", kSeal, sha256_hex(text), kEnd);
}

std::optional<HeaderOrigin> read_header_origin(std::string_view text) {
  HeaderOrigin origin;
  const std::size_t asked = find_asked(text);
  const std::size_t seal = text.rfind(kSeal);
  if (asked == std::string_view::npos || seal == std::string_view::npos) return std::nullopt;
  origin.asked = comment_at(text, asked, kAsked);
  origin.version = comment_at(text, text.find(kWritten, asked), kWritten);
  origin.intact = text.substr(seal) == header_seal(text.substr(0, seal));
  const std::vector<std::string> files = quoted(table(text, "WW_DATA ww_file "));
  for (std::size_t i = 0; i + 1 < files.size(); i += 2)
    origin.files.push_back({files[i], files[i + 1], ""});
  // Each board records a version such as "warpwright 0.1.0 (commit 1a2b)".
  for (const std::string& one : quoted(text)) {
    if (!one.starts_with("warpwright ")) continue;
    if (std::find(origin.tuners.begin(), origin.tuners.end(), one) == origin.tuners.end())
      origin.tuners.push_back(one);
  }
  return origin;
}

std::string without_version(std::string_view text) {
  std::string result(text.substr(0, text.rfind(kSeal)));
  const std::size_t asked = find_asked(result);
  const std::size_t at = asked == std::string::npos ? asked : result.find(kWritten, asked);
  if (at != std::string::npos) result.erase(at, result.find('\n', at) - at);
  return result;
}

namespace fs = std::filesystem;
namespace {

std::size_t lines_in(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

// The part of a path such as "kernels/gemv/tma.cu" below the folder of kernels, whatever its name.
fs::path below_kernels(const std::string& path) {
  const std::size_t slash = path.find('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

// Finds the file under the first root that has it.
fs::path find_file(const std::string& path, const std::vector<fs::path>& roots) {
  for (const fs::path& root : roots) {
    std::error_code ignored;
    const fs::path file = root / below_kernels(path);
    if (fs::is_regular_file(file, ignored)) return file;
  }
  return {};
}

}  // namespace

HeaderCheck verify_intact(const HeaderOrigin& origin) {
  if (origin.intact) return {"header", true, "is as it was written by " + origin.version};
  return {"header", false, "was changed after it was written; export again"};
}

HeaderCheck verify_commits(const HeaderOrigin& origin) {
  std::string list;
  for (const std::string& tuner : origin.tuners) {
    if (tuner.find("-dirty") != std::string::npos)
      return {"commit", false,
              fmt::format("its times are by {}, with changes that no commit has; record again from "
                          "a clean tree",
                          tuner)};
    if (tuner.find("(commit ") == std::string::npos)
      return {"commit", false, fmt::format("its times are by {}, of no known commit", tuner)};
    list += (list.empty() ? "" : ", ") + tuner;
  }
  if (list.empty()) return {"commit", false, "it does not say what its times are by"};
  return {"commit", true, "its times are by " + list};
}

HeaderCheck verify_database(std::string_view text, std::string_view again,
                            const std::string& database) {
  const std::string own = without_version(text);
  const std::string other = without_version(again);
  if (own == other) return {"database", true, database + " gives this header"};
  const auto differ = std::mismatch(own.begin(), own.end(), other.begin(), other.end());
  const std::size_t line = 1 + lines_in(std::string_view(own).substr(
                                   0, static_cast<std::size_t>(differ.first - own.begin())));
  return {"database", false,
          fmt::format("{} gives another header, from line {} on; export again", database, line)};
}

HeaderCheck verify_beside(const fs::path& file, std::string_view expected, const std::string& by) {
  const std::string name = file.filename().string();
  const std::optional<std::string> text = read_file_if_present(file);
  if (!text) return {name, false, "is missing; export again"};
  // The version of the writing program does not affect the content.
  const auto without = [](std::string_view given) {
    std::string all(given);
    const std::size_t at = all.find("\nVersion: ");
    if (at != std::string::npos) all.erase(at, all.find('\n', at + 1) - at);
    return all;
  };
  const std::string own = without(*text);
  const std::string other = without(expected);
  if (own == other) return {name, true, "is what " + by + " writes"};
  const std::size_t end = std::min(own.size(), other.size());
  const auto differ =
      std::mismatch(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(end), other.begin());
  const std::size_t line = 1 + lines_in(std::string_view(own).substr(
                                   0, static_cast<std::size_t>(differ.first - own.begin())));
  return {name, false,
          fmt::format("is not what {} writes, from line {} on; export again", by, line)};
}

HeaderCheck verify_sources(const HeaderOrigin& origin, const std::vector<fs::path>& roots) {
  std::string wrong;
  std::size_t count = 0;
  FileBounds bounds;
  for (const fs::path& root : roots) bounds.allow(root, FolderUse::kOwn);
  for (const SelectionFile& file : origin.files) {
    fs::path found = find_file(file.path, roots);
    // The header may come from an untrusted source and name any file.
    if (!found.empty() && !bounds.holds(found)) found.clear();
    if (!found.empty() && sha256_hex(read_file(found)) == file.sha256) continue;
    if (count++ < 3)
      wrong += fmt::format("{}{} {}", wrong.empty() ? "" : ", ", file.path,
                           found.empty() ? "is missing" : "differs");
  }
  if (origin.files.empty()) return {"sources", false, "it does not say what it was tuned from"};
  if (count == 0)
    return {"sources", true,
            fmt::format("all {} files are those that it was tuned from", origin.files.size())};
  return {"sources", false,
          fmt::format("{} of {} files are not those that it was tuned from: {}{}; sweep again, or "
                      "take the sources of the results (`warpwright repro`)",
                      count, origin.files.size(), wrong, count > 3 ? ", ..." : "")};
}

}  // namespace warpwright
