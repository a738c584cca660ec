#include "provenance/source_commit.h"

#include <optional>

#include "core/files.h"
#include "core/process/run_command.h"
#include "core/words.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

// Reads the commit of an installation. An installation is not a repository, though it may lie
// within one, such as a repository of dotfiles.
std::optional<std::string> installed_commit(const fs::path& folder) {
  for (fs::path at = folder; at.has_relative_path(); at = at.parent_path())
    if (const auto text = read_file_if_present(at / "installed_commit")) return text;
  return std::nullopt;
}

// Takes no locks, since the user may be committing while a sweep starts.
std::string described_by_git(const fs::path& folder) {
  if (!find_program("git")) return "";
  const CommandResult described =
      run_command({"git", "--no-optional-locks", "-C", folder.string(), "describe", "--always",
                   "--dirty", "--abbrev=12", "--exclude=*"});
  return described.exit_code == 0 ? described.output : "";
}

}  // namespace

std::string source_commit(const fs::path& folder) {
  const std::optional<std::string> installed = installed_commit(folder);
  const std::string text = installed ? *installed : described_by_git(folder);
  if (!text.ends_with('\n')) return "";
  const std::string commit = text.substr(0, text.size() - 1);
  // Anything else is a warning or an error that git prints with its answer.
  const std::string hash = commit.substr(0, commit.find('-'));
  const bool whole = commit.size() == hash.size() || commit == hash + "-dirty";
  return whole && all_hex_digits(hash) ? commit : "";
}

std::string version_with_commit(const std::string& version, const std::string& commit) {
  return commit.empty() ? version : version + " (commit " + commit + ")";
}

}  // namespace warpwright
