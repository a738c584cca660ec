// Building references from outside the tree, once per content.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cstdlib>
#include <set>
#include <sstream>

#include "core/error.h"
#include "core/files.h"
#include "core/hash.h"
#include "trial/command.h"
#include "trial/reference.h"

namespace warpwright {
namespace {

// Changes when the options below do.
constexpr std::string_view kBuildVersion = "reference-build-1";
constexpr int kShownLines = 10;

std::vector<std::string> compile_options(const std::filesystem::path& include_folder) {
  // Both `#include "reference.h"` and `#include "common/reference.h"` find the ABI.
  return {"-O2",
          "-std=c++17",
          "-shared",
          "-fPIC",
          "-I" + include_folder.string(),
          "-I" + include_folder.parent_path().string()};
}

std::filesystem::path find_compiler(const std::filesystem::path& source) {
  std::vector<std::string> candidates{"c++", "g++", "clang++"};
  if (const char* chosen = std::getenv("CXX"); chosen != nullptr && *chosen != '\0')
    candidates = {chosen};
  for (const std::string& candidate : candidates) {
    if (const auto found = find_program(candidate)) return *found;
  }
  throw environment_error(
      fmt::format("no C++ compiler to build the reference {}: looked for {}; install one (apt "
                  "install g++) or set CXX",
                  source.string(), fmt::join(candidates, ", ")));
}

// Feeds a file and what it includes with quotes into the hash; a missing include is left to the
// compiler.
void hash_with_includes(const std::filesystem::path& file,
                        const std::filesystem::path& include_folder,
                        std::set<std::filesystem::path>& seen, Sha256& hash) {
  if (!seen.insert(file.lexically_normal()).second) return;
  const std::optional<std::string> text = read_file_if_present(file);
  if (!text) return;
  hash.field(file.filename().string()).field(*text);
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t start = line.find_first_not_of(" \t");
    if (start == std::string::npos || line[start] != '#' ||
        line.find("include", start) == std::string::npos)
      continue;
    const std::size_t open = line.find('"', start);
    const std::size_t close = open == std::string::npos ? open : line.find('"', open + 1);
    if (close == std::string::npos) continue;
    const std::string name = line.substr(open + 1, close - open - 1);
    for (const auto& folder : {file.parent_path(), include_folder, include_folder.parent_path()}) {
      if (!std::filesystem::exists(folder / name)) continue;
      hash_with_includes(folder / name, include_folder, seen, hash);
      break;
    }
  }
}

std::string first_lines(const std::string& text, int count) {
  std::string shown;
  std::istringstream lines(text);
  std::string line;
  for (int i = 0; i < count && std::getline(lines, line); ++i) shown += "\n  " + line;
  if (std::getline(lines, line)) shown += "\n  ...";
  return shown;
}

}  // namespace

std::filesystem::path build_reference(const std::filesystem::path& source,
                                      const std::filesystem::path& include_folder,
                                      const std::filesystem::path& cache_folder) {
  const std::filesystem::path compiler = find_compiler(source);
  const std::vector<std::string> options = compile_options(include_folder);
  Sha256 hash;
  hash.field(kBuildVersion).field(compiler.string());
  for (const std::string& option : options) hash.field(option);
  std::set<std::filesystem::path> seen;
  if (!std::filesystem::is_regular_file(source))
    throw user_error(source.string() + ": no such reference");
  hash_with_includes(source, include_folder, seen, hash);

  const std::filesystem::path object = cache_folder / (hash.hex() + ".so");
  if (std::filesystem::exists(object)) return object;
  std::error_code made;
  std::filesystem::create_directories(cache_folder, made);
  if (made)
    throw environment_error(
        fmt::format("cannot create {}: {}", cache_folder.string(), made.message()));

  // Compiled beside its final place and renamed: two processes that build at once both publish a
  // whole object.
  const std::filesystem::path partial = fmt::format("{}.{}", object.string(), ::getpid());
  std::vector<std::string> command{compiler.string()};
  command.insert(command.end(), options.begin(), options.end());
  command.insert(command.end(), {"-o", partial.string(), source.string()});
  const CommandResult result = run_command(command);
  if (result.exit_code != 0) {
    std::error_code ignored;
    std::filesystem::remove(partial, ignored);
    throw user_error(fmt::format("{}: the reference does not compile ({}, exit code {}):{}",
                                 source.string(), compiler.string(), result.exit_code,
                                 first_lines(result.output, kShownLines)));
  }
  std::filesystem::rename(partial, object);
  return object;
}

}  // namespace warpwright
