#include "bench/version_control.h"

#include "core/error.h"
#include "trial/command.h"

namespace warpwright {

std::string source_commit(const std::filesystem::path& folder) {
  const auto git = find_program("git");
  if (!git) return "unknown";
  try {
    const auto ask = [&](std::vector<std::string> words) {
      words.insert(words.begin(), {git->string(), "-C", folder.string()});
      return run_command(words);
    };
    const CommandResult head = ask({"rev-parse", "--short=12", "HEAD"});
    if (head.exit_code != 0 || head.output.size() < 12) return "unknown";
    const CommandResult status = ask({"status", "--porcelain", "--untracked-files=no"});
    const bool changed = status.exit_code == 0 && !status.output.empty();
    return head.output.substr(0, 12) + (changed ? "+changes" : "");
  } catch (const Error&) {
    return "unknown";
  }
}

}  // namespace warpwright
