#include "run/source_commit.h"

#include "trial/command.h"

namespace warpwright {

std::string source_commit(const std::filesystem::path& folder) {
  if (!find_program("git")) return "";
  // Without locks: somebody may be committing while a sweep starts.
  const CommandResult described =
      run_command({"git", "--no-optional-locks", "-C", folder.string(), "describe", "--always",
                   "--dirty", "--abbrev=12", "--exclude=*"});
  const std::string& text = described.output;
  if (described.exit_code != 0 || !text.ends_with('\n')) return "";
  const std::string commit = text.substr(0, text.size() - 1);
  // Anything else is a warning or an error that git prints beside its answer.
  const std::string hash = commit.substr(0, commit.find('-'));
  const bool hex = hash.find_first_not_of("0123456789abcdef") == std::string::npos;
  const bool whole = commit.size() == hash.size() || commit == hash + "-dirty";
  return hex && whole && !hash.empty() ? commit : "";
}

std::string version_with_commit(const std::string& version, const std::string& commit) {
  return commit.empty() ? version : version + " (commit " + commit + ")";
}

}  // namespace warpwright
