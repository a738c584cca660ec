#include "exchange/header/verify_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "core/file_bounds.h"
#include "core/files.h"
#include "core/hash.h"

namespace warpwright {
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
